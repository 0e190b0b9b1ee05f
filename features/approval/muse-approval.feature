@approval
Feature: Muse asks before it runs a command

  The user's answer, and nothing else, decides whether the command runs.

  @scenario:approval-allowed @soak
  @ACP-TOOL-01 @ACP-PERM-01 @ACP-PERM-05 @ACP-TOOL-07
  @REQ-ACP-03 @REQ-ACP-07 @REQ-ACP-08
  @MUSE-PERM-01 @MUSE-PERM-03 @MUSE-PERM-08 @MUSE-PERM-11 @MUSE-TURN-06
  Scenario: The user allows a command once
    Given Muse wants to run "echo ran >> marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once"
    When the user sends "please write the marker"
    Then the editor was asked once, about "echo ran >> marker", with "Allow once | Always allow in this workspace: echo ... | Reject"
    And the file "marker" did not exist before the answer
    And the file "marker" holds "ran" once
    And Muse was told "Allow once"
    And Muse got its receipt before the editor had answered
    And the tool call "echo ran >> marker" went through "pending, in_progress, completed"
    And the user was shown "Done."
    And the turn ended with "end_turn"

  @scenario:approval-rejected
  @ACP-PERM-06 @REQ-ACP-07 @REQ-ACP-08 @REQ-ASK-04 @REQ-ASK-10 @REQ-APPR-03 @MUSE-PERM-12 @ACP-PR-14
  Scenario: The user rejects a command
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will answer "Reject"
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "the user rejected tool \"bash\""
    And the tool call of "touch marker" ended as "failed", with the text "the user rejected tool \"bash\""
    And the denial of "touch marker" is one text, told as an error to the model and to the user
    And the user was shown "I leave it."
    And the turn ended with "end_turn"
    And the audit log's question is, in full, {"id":"{id}","toolName":"bash","callId":"{call}"}

  @scenario:approval-dismissed
  @ACP-PERM-07 @REQ-ACP-08 @REQ-ASK-05 @MUSE-PERM-13
  Scenario: The user dismisses the question
    Given Muse wants to run "touch marker" and asks first
    And Muse says "Never mind."
    And the editor will dismiss the question
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "approval for tool \"bash\" was cancelled"
    And the tool call of "touch marker" ended as "failed", with the text "approval for tool \"bash\" was cancelled"
    And the turn ended with "end_turn"

  @scenario:approval-cancelled-then-allowed @soak
  @ACP-CAN-01 @ACP-CAN-06 @ACP-CAN-10 @ACP-PERM-11 @ACP-CAN-11
  @REQ-APPR-17 @REQ-APPR-18 @REQ-ACP-14 @REQ-ACP-15
  @MUSE-PERM-24 @MUSE-TURN-21
  Scenario: The user stops the turn while the question is open, and the editor allows too late
    Given when Muse hears "touch the marker"
    And Muse wants to run "touch marker" and asks first
    And when Muse hears "anything new"
    And Muse says "Nothing new."
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And the user stops the turn
    Then the turn ended with "cancelled"
    And nothing more was asked once the user had stopped the turn
    And the tool call of "touch marker" ended as "failed", with the text "approval for tool \"bash\" was cancelled"
    When the editor answers the open question with "Allow once"
    And the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And the file "marker" does not exist
    And Muse was never told to go ahead
    And Muse was sent no decision, only a cancel of the turn
    And Muse was started 2 times, with "serve"
    And the audit log says that the turns ended as "aborted by session/cancel | completed"

  @scenario:asks-again
  @REQ-APPR-23 @REQ-APPR-02 @ACP-PERM-05 @ACP-PERM-09
  Scenario: What was allowed once is asked again
    Given when Muse hears "once"
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says "Once."
    And when Muse hears "again"
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says "Not again."
    And the editor will answer "Allow once"
    And the editor will answer "Reject"
    And the editor will dismiss the question
    When the user sends "once"
    And the user sends "again"
    Then the editor was asked 3 times
    And the file "marker" holds "ran" once
    And the audit log holds the decisions "allowed-once | rejected | cancelled"

  @scenario:asks-again-after-always
  @MUSE-PERM-33 @ACP-PERM-05 @REQ-ACP-08 @REQ-APPR-23 @MUSE-PERM-12
  Scenario: What was allowed for good is Muse's to remember, so when Muse asks again, the user is asked again
    Given Muse wants to run "echo ran >> marker" and asks first
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says "Once."
    And the editor will answer "Always allow in this workspace: echo ..."
    And the editor will answer "Reject"
    When the user sends "please write the marker"
    Then the editor was asked 2 times
    And the file "marker" holds "ran" once
    And Muse was told "Always allow in this workspace: echo ... | Reject"
    And the turn ended with "end_turn"

  @scenario:slow-answer
  @MUSE-PERM-31 @ACP-PERM-06 @REQ-ACP-08 @MUSE-PERM-12 @ACP-PERM-12
  Scenario: The user takes time to think, and rejects a command
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And the user thinks for 4 seconds
    Then the file "marker" does not exist yet
    When the editor answers the open question with "Reject"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the turn ended with "end_turn"
