@approval
Feature: Muse asks about two commands at once

  Two questions of one session may be open at the same time. Each answer is for its own command, in whatever order the
  user gives them, and no question waits for the answer to another.

  @scenario:two-approvals-answered-in-reverse @soak
  @ACP-PERM-01 @ACP-PERM-05 @ACP-PERM-06 @ACP-PERM-10 @MUSE-PERM-04 @MUSE-PERM-11 @MUSE-PERM-12
  @REQ-APPR-27
  Scenario: The user rejects the second, and then allows the first
    Given Muse wants to run "echo one >> one.txt" and asks first
    And at the same time Muse wants to run "echo two >> two.txt" and asks first
    And Muse says "Only one is written."
    And the editor will answer the question about "one.txt" with "Allow once", when a tool call of "echo" has ended
    And the editor will answer the question about "two.txt" with "Reject", when 2 questions are open
    When the user sends "write one and two"
    Then both questions were open at once
    And Muse was told "Reject | Allow once"
    And each of the commands "one.txt | two.txt" got its own answer, "Allow once | Reject"
    And the file "one.txt" holds "one" once
    And the file "two.txt" does not exist
    And the turn ended with "end_turn"
    And the audit log goes "turn/start, tool/call, tool/call, approval/asked, approval/asked, approval/decided, tool/result, approval/decided, tool/result, turn/end"
    And the audit log decides its questions in the order "2, 1"
    And the audit log holds the decisions "allowed-once | rejected"
