@approval
Feature: What Muse offers is what the user sees

  An option lasts as long as Muse's choice does. Where the user says nothing, nothing that lasts is chosen for him.

  @scenario:approval-lasting-denial
  @ACP-PERM-07 @MUSE-PERM-08 @MUSE-PERM-09 @MUSE-PERM-13
  Scenario: The user dismisses a question that could also be denied for good
    Given Muse wants to run "touch marker" and asks first, offering the choices "Never in this workspace | Not in this session | Not now | Allow once"
    And Muse says "Never mind."
    And the editor will dismiss the question
    When the user sends "please touch the marker"
    Then the editor was asked once, about "touch marker", with "Never in this workspace | Not in this session | Not now | Allow once"
    And the options were of the kinds "reject_always | reject_once | reject_once | allow_once"
    And Muse was told "Not now"
    And the file "marker" does not exist

  @scenario:approval-kinds-of-options
  @MUSE-PERM-08 @MUSE-PERM-09 @MUSE-PERM-12
  Scenario: Muse offers choices of every kind, also of one that nobody knows
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will answer "Stop"
    When the user sends "please touch the marker"
    Then the editor was asked once, about "touch marker", with "Once | In this session | Always | While the moon is full | Whenever the moon is full | Stop | Too late | Not here | Never"
    And the options were of the kinds "allow_once | allow_always | allow_always | allow_once | allow_always | reject_once | reject_once | reject_always | reject_always"
    And Muse was told "Stop"

  @scenario:approval-unknown-choice
  @ACP-PERM-07 @MUSE-PERM-13
  Scenario: The user dismisses a question that could also be settled in a way that nobody knows
    Given Muse wants to run "touch marker" and asks first, offering the choices "While the moon is full | Stop"
    And Muse says "Never mind."
    And the editor will dismiss the question
    When the user sends "please touch the marker"
    Then Muse was told "Stop"
    And the file "marker" does not exist

  @scenario:approval-no-denial
  @ACP-PERM-07 @MUSE-PERM-13
  Scenario: The user dismisses a question that Muse offers no denial for
    Given Muse wants to run "touch marker" and asks first, offering the choices "Allow once | Allow for this session | While the moon is full"
    And the editor will dismiss the question
    When the user sends "please touch the marker"
    Then Muse was sent no decision
    And the file "marker" does not exist
    And the prompt failed with the error -32603

  @scenario:choices-widened
  @MUSE-PERM-22
  Scenario: Muse changes what it offers before the editor can be asked
    Given Muse says "Now the marker.", and word of it gets lost
    And Muse wants to run "touch marker" and asks first, offering the choices "Allow once | Reject"
    But Muse changes its mind at once, and offers the choices "Allow once | Allow for this session | Reject"
    And Muse says " There it is."
    And the editor will answer "Allow for this session"
    When the user sends "please touch the marker"
    Then the first question offered "Allow once | Allow for this session | Reject"
    And Muse was told "Allow for this session"
    And the file "marker" exists
    And the turn ended with "end_turn"

  @scenario:choices-outdated
  @MUSE-PERM-27
  Scenario: Muse changes what it offers while the editor is asked
    Given Muse wants to run "touch one" and asks first, offering the choices "Allow once | Reject"
    But Muse changes its mind at once, and offers the choices "Allow this time | Allow for this session | Reject"
    And at the same time Muse wants to run "touch two" and asks first
    And Muse says "One of two."
    And the editor will answer the question about "touch one" with "Allow once", when a tool call of "touch two" has ended
    And the editor will answer the question about "touch two" with "Reject", when 2 questions are open
    And the editor will answer "Allow this time" to the question about "touch one"
    When the user sends "touch one and two"
    Then Muse was told only what it still offered: "Reject | Allow this time"
    And the file "one" exists
    And the file "two" does not exist
    And the turn ended with "end_turn"

  @scenario:choices-turned-round
  @MUSE-PERM-34
  Scenario: What the user chose has the contrary meaning by the time it is answered
    Given Muse wants to run "touch one" and asks first, offering the choices "Allow once | Reject"
    But Muse gives each of these choices the contrary meaning at once, and calls them "Not now | Go ahead"
    And at the same time Muse wants to run "touch two" and asks first
    And Muse says "Neither is there."
    And the editor will answer the question about "touch one" with "Reject", when a tool call of "touch two" has ended
    And the editor will answer the question about "touch two" with "Reject", when 2 questions are open
    And the editor will answer "Not now" to the question about "touch one"
    When the user sends "touch one and two"
    Then Muse was told only what the user meant: "Reject | Not now"
    And the file "one" does not exist
    And the file "two" does not exist
    And the turn ended with "end_turn"

  @scenario:approval-rejected-for-long
  @ACP-PERM-06 @REQ-ACP-08 @MUSE-PERM-12
  Scenario Outline: The user rejects a command for longer than this once: <case>
    Given Muse wants to run "touch marker" and asks first, offering the choices "Allow once | Never in this workspace | Not in this session | Not now"
    And Muse says "I leave it."
    And the editor will answer "<answer>"
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "<answer>"
    And the tool call of "touch marker" ended as "failed"
    And the turn ended with "end_turn"

    Examples:
      | case             | answer                  |
      | in-the-workspace | Never in this workspace |
      | in-the-session   | Not in this session     |
