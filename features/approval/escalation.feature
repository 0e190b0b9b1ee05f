@approval @escalation
Feature: A tool call asks for wider rights

  The request for wider rights is one question, for one call. It carries two one-shot options and nothing else.

  @scenario:escalation-approved @soak
  @ACP-PERM-01 @REQ-ACP-03 @REQ-ACP-04 @REQ-ACP-05 @REQ-ACP-07 @REQ-ACP-08 @REQ-ESC-04 @REQ-ESC-09
  Scenario: The user allows it once
    Given Muse wants to run "printf 'escalated\n' > escalated.txt && cat escalated.txt" with the rights "workspace-write" because "the user asked to write escalated.txt in the workspace", and asks first
    And Muse wants to run "printf 'again\n' > again.txt" with the rights "workspace-write" because "the user asked for a second file", and asks first
    And Muse says "Wrote one of two."
    And the editor will answer "Allow once"
    And the editor will answer "Reject"
    When the user sends "write escalated.txt, then again.txt"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the editor was asked twice
    And the file "escalated.txt" did not exist before the first answer
    And the file "escalated.txt" exists
    And the file "again.txt" does not exist
    And Muse was told "Allow once | Reject"
    And the tool call "escalated.txt && cat" went through "pending, in_progress, completed"
    And the turn ended with "end_turn"

  @scenario:escalation-rejected
  @ACP-PERM-06 @REQ-ACP-03 @REQ-ACP-04 @REQ-ACP-05 @REQ-ACP-07 @REQ-ESC-04 @REQ-ESC-05 @REQ-ESC-09
  Scenario: The user rejects it
    Given Muse wants to run "printf 'escalated\n' > escalated.txt && cat escalated.txt" with the rights "workspace-write" because "the user asked to write escalated.txt in the workspace", and asks first
    And Muse says "Nothing was written."
    And the editor will answer "Reject"
    When the user sends "write escalated.txt"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the file "escalated.txt" does not exist
    And Muse was told "Reject"
    And the model read "the user rejected escalating this command to \"workspace-write\""
    And the tool call of "escalated.txt && cat" ended as "failed", with the text "the user rejected escalating this command to \"workspace-write\""
    And the turn ended with "end_turn"
