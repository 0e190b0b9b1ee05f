@approval
Feature: An approval that is nobody's

  What a subagent wants to do, no user has asked for, and no user is asked about. It is refused, for this once.

  @scenario:approval-of-a-subagent
  @REQ-ACP-19
  Scenario: A subagent wants to run a command
    Given a subagent of Muse wants to run "touch marker" and asks first
    And Muse says "My helper left it."
    When the user sends "let your helper touch the marker"
    Then nobody was asked about the work of the subagent
    And the work of the subagent was refused with "Reject"
    And the file "marker" does not exist
    And the user was shown "My helper left it."

  @scenario:approval-of-another-session
  @REQ-ACP-01
  Scenario: Muse asks about the work of a session that the editor does not have
    Given Muse says "One, "
    And Muse writes the line: {"jsonrpc":"2.0","method":"approval/requested","params":{"sessionId":"01990000-0000-7000-8000-0000000000ff","approvalId":"01990000-0000-4000-8000-0000000000fe","turnId":"01990000-0000-7000-8000-0000000000fd","taskId":"01990000-0000-4000-8000-0000000000fe","itemId":"01990000-0000-4000-8000-0000000000fe","toolCallId":"call_of_another","toolName":"bash","rawArgs":"{\"command\":\"touch marker\"}","viewCursor":"v:01990000-0000-7000-8000-0000000000ff:9","currentRequirementId":{"approvalId":"01990000-0000-4000-8000-0000000000fe","sourceIndex":0},"availableChoices":[{"choiceId":"allow_once","label":"Allow once","decision":"approved","scope":"once"},{"choiceId":"abort","label":"Reject","decision":"abort","scope":"once","acceptsFeedback":true}],"protectedWrite":false,"judgeEscalated":false},"emittedAtMs":1791194400500}
    And Muse says "two."
    When the user sends "count"
    Then the editor was never asked
    And Muse was not told to go ahead with the work of another session
    And the user was shown "One, two."
    And the turn ended with "end_turn"
