@approval
Feature: A command with several parts is approved part by part

  Muse asks once for the whole command, but in stages: one decision for each part. Nothing of the command runs before the
  last part is allowed, and nothing at all when one of them is refused. Some Muses repeat the last stage after it was
  decided; that is no further question.

  @scenario:stages-allowed @soak
  @ACP-PERM-05 @MUSE-PERM-01 @MUSE-PERM-07 @MUSE-PERM-11 @MUSE-PERM-20
  Scenario Outline: The user allows both parts: <case>
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    And Muse says "Both are written."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And the questions had the titles "Stage 1 of 2: echo one | Stage 2 of 2: echo two"
    And the file "one.txt" did not exist before the answer
    And Muse was told "Allow once | Allow once"
    And Muse took every decision, each for a stage of its own
    And the file "one.txt" holds "one" once
    And the file "two.txt" holds "two" once
    And the user was shown "Both are written."
    And the turn ended with "end_turn"

    Examples:
      | case                |
      | usual               |
      | last-stage-repeated |

  @scenario:stages-refused-later
  @ACP-PERM-06 @MUSE-PERM-12 @MUSE-PERM-21
  Scenario Outline: The user allows the first part and refuses the second: <case>
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    And Muse says "Nothing is written."
    And the editor will answer "Allow once"
    And the editor will answer "Reject"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And Muse was told "Allow once | Reject"
    And Muse took every decision, each for a stage of its own
    And the file "one.txt" does not exist
    And the file "two.txt" does not exist
    And the tool call of "echo one" ended as "failed"
    And the turn ended with "end_turn"

    Examples:
      | case                |
      | usual               |
      | last-stage-repeated |

  @scenario:stages-refused-at-once
  @ACP-PERM-06 @MUSE-PERM-12 @MUSE-PERM-21
  Scenario Outline: The user refuses the first part: <case>
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    And Muse says "Nothing is written."
    And the editor will answer "Reject"
    When the user sends "write one and two"
    Then the editor was asked 1 times
    And Muse was told "Reject"
    And Muse took every decision, each for a stage of its own
    And the file "one.txt" does not exist
    And the file "two.txt" does not exist
    And the tool call of "echo one" ended as "failed"
    And the turn ended with "end_turn"

    Examples:
      | case                |
      | usual               |
      | last-stage-repeated |
