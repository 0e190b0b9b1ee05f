@approval
Feature: Some parts of a command need no decision

  Muse knows some commands to be safe. It counts them among the parts, and asks about the others only. The user sees
  which part is asked about as soon as there is more than one to tell apart.

  @scenario:parts-partly-safe
  @ACP-PERM-05 @MUSE-PERM-01 @MUSE-PERM-07 @MUSE-PERM-20
  Scenario Outline: Two parts of four are to be decided: <case>
    Given Muse wants to run "echo one > a.txt; ls .; echo two > b.txt; cat a.txt" and asks first, part by part: "<parts>"
    And Muse says "Both are written."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And the questions had the titles "Stage 1 of 4: echo one | Stage 3 of 4: echo two"
    And Muse took every decision, each for a stage of its own
    And the file "a.txt" holds "one" once
    And the file "b.txt" holds "two" once
    And the turn ended with "end_turn"

    Examples:
      | case       | parts                                                                           |
      | known-safe | echo one \| ls . (known_safe) \| echo two \| cat a.txt (knownSafe)              |
      | unheard-of | echo one \| ls . (blessedByTheMoon) \| echo two \| cat a.txt (allowPrefix)      |

  @scenario:parts-one-open
  @ACP-PERM-05 @MUSE-PERM-01 @MUSE-PERM-07 @MUSE-PERM-20
  Scenario: One part of two is to be decided, so there is nothing to tell apart
    Given Muse wants to run "ls .; echo one > a.txt" and asks first, part by part: "ls . (knownSafe) | echo one"
    And Muse says "It is written."
    And the editor will answer "Allow once"
    When the user sends "list, then write"
    Then the editor was asked 1 times
    And the questions had the titles "List, then write"
    And Muse took every decision, each for a stage of its own
    And the file "a.txt" holds "one" once
    And the turn ended with "end_turn"

  @scenario:parts-three
  @ACP-PERM-05 @MUSE-PERM-01 @MUSE-PERM-07 @MUSE-PERM-20
  Scenario: Three parts are to be decided
    Given Muse wants to run "echo one > a.txt; echo two > b.txt; echo 'th ree' > c.txt" and asks first, part by part: "echo one | echo two | echo th ree"
    And Muse says "All are written."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "write all three"
    Then the editor was asked 3 times
    And the questions had the titles "Stage 1 of 3: echo one | Stage 2 of 3: echo two | Stage 3 of 3: echo \"th ree\""
    And Muse took every decision, each for a stage of its own
    And the file "a.txt" holds "one" once
    And the file "b.txt" holds "two" once
    And the file "c.txt" holds "th ree" once
    And the turn ended with "end_turn"

  @scenario:parts-unclear
  @MUSE-PERM-07
  Scenario Outline: What Muse says of a part does not fit, so the title does not say which it is: <case>
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, part by part: "echo one | echo two"
    But Muse shows part 1 with: <shown>
    And Muse says "Both are written."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the questions had the titles "Write both | Stage 2 of 2: echo two"
    And the turn ended with "end_turn"

    Examples:
      | case             | shown                                                           |
      | another-approval | {"requirementId":{"approvalId":"another","sourceIndex":0}}      |
      | another-part     | {"requirementId":{"approvalId":"{{approval}}","sourceIndex":7}} |
      | nothing-before   | {"position":0}                                                  |
      | behind-the-end   | {"position":3}                                                  |
      | only-one         | {"totalStages":1}                                               |
      | no-command       | {"argv":[]}                                                     |
