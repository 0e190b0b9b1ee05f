@session @approval
Feature: Two sessions on one connection

  @scenario:two-sessions-answered-in-reverse @soak
  @ACP-NEW-01 @ACP-ISO-02 @ACP-PERM-10 @ACP-PERM-13 @ACP-PERM-14 @REQ-ACP-16 @MUSE-SESS-01
  Scenario: Both ask, and the second is answered first
    Given when Muse hears "make one"
    And Muse wants to run "touch one" and asks first
    And Muse says "One is made."
    And when Muse hears "make two"
    And Muse wants to run "touch two" and asks first
    And Muse says "Two is left."
    And the editor will leave the question open
    And the editor will leave the question open
    When there are 2 sessions
    And in one write, "please make one" is sent in session 1 and "please make two" in session 2, and the editor is asked in both
    Then the sessions have different ids
    And session 1 was asked once, about "touch one", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And session 2 was asked once, about "touch two", with "Allow once | Always allow in this workspace: touch ... | Reject"
    When the editor answers the open question of session 2 with "Reject"
    Then the turn of session 2 ended with "end_turn"
    And the turn of session 1 is still open
    And the file "one" does not exist yet
    When the editor answers the open question of session 1 with "Allow once"
    Then the turn of session 1 ended with "end_turn"
    And the file "one" exists
    And the file "two" does not exist
    And Muse was told "Allow once" in session 1
    And Muse was told "Reject" in session 2
    And the user of session 1 was shown "One is made."
    And the user of session 2 was shown "Two is left."
    And Muse was started 2 times, with "serve"

  @scenario:grant-of-another-session
  @REQ-ACP-16 @ACP-PERM-05 @ACP-PERM-10 @REQ-ACP-08
  Scenario Outline: What was allowed in one session is asked about in another: <case>
    Given when Muse hears "first place"
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says "It is written."
    And when Muse hears "second place"
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says "I leave it."
    And the editor will answer "<answer>"
    And the editor will answer "Reject"
    When there are 2 sessions
    And the user sends "write it in the first place" in session 1
    And the user sends "write it in the second place" in session 2
    Then session 2 was asked once, about "echo ran >> marker", with "Allow once | Always allow in this workspace: echo ... | Reject"
    And the file "marker" holds "ran" once
    And Muse was told "<answer>" in session 1
    And Muse was told "Reject" in session 2
    And the turn of session 2 ended with "end_turn"

    Examples:
      | case   | answer                                   |
      | once   | Allow once                               |
      | always | Always allow in this workspace: echo ... |
