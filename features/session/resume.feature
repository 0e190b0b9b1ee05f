@session @resume
Feature: Resuming a session

  A session that was closed is taken up again by its id, in its folder. Nothing of it is shown once more: the editor has
  it. What the user had set is as it was.

  @scenario:resume-goes-on @soak
  @ACP-RES-01 @ACP-RES-02 @ACP-RES-03 @MUSE-CLOSE-07
  Scenario: A session is closed and goes on
    Given an adapter that closes and resumes sessions
    And when Muse hears "hello"
    And Muse says "Hello."
    And when Muse hears "again"
    And Muse says " Hello again."
    When the user sends "hello"
    And the editor closes the session
    And the editor resumes the session
    Then the resumed session showed "mode=default sandbox-mode=read-only approval-policy=ask"
    And nothing was told of the session before it was resumed
    When the user sends "again"
    Then Muse took the session up again, and turn 2 went on where it was

  @scenario:resume-keeps-what-was-set @approval @policy
  @REQ-POL-01 @REQ-POL-09 @REQ-POL-11 @MUSE-CLOSE-06 @MUSE-CLOSE-08
  Scenario: What the user had set is as it was
    Given an adapter that closes and resumes sessions
    And when Muse hears "the first"
    And Muse says "First."
    And when Muse hears "the second"
    And Muse says "Second."
    When the user sets "approval-policy" to "never"
    And the user sets "mode" to "rejectApprovals"
    And the user sends "the first"
    And the editor closes the session
    And the editor resumes the session
    Then the resumed session showed "mode=rejectApprovals sandbox-mode=read-only approval-policy=never"
    When the user sends "the second"
    Then Muse heard in turn 1, part by part, "the sentence that prompts are disabled | the notice of the user's change from ask to never | the first"
    And Muse heard in turn 2, part by part, "the sentence that prompts are disabled | the second"
    And the audit log holds the policies "never"

  @scenario:resume-late-answer @approval @soak
  @MUSE-CLOSE-04 @REQ-APPR-17
  Scenario: The answer to a question of the closed session comes when the resumed one asks
    Given an adapter that closes and resumes sessions
    And when Muse hears "make one"
    And Muse wants to run "touch one" and asks first
    And when Muse hears "make two"
    And Muse wants to run "touch two" and asks first
    And Muse says "Two is left."
    And when Muse hears "make another"
    And Muse wants to run "touch another" and asks first
    And Muse says "Another is left."
    And the editor will leave the question open
    And the editor will leave the question open
    And the editor will leave the question open
    When there are 2 sessions
    And in one write, "please make one" is sent in session 1 and "please make another" in session 2, and the editor is asked in both
    And the editor closes session 1
    And the editor resumes session 1
    And in session 1, the user sends "please make two" and the editor is asked
    And the editor answers the open question of session 1 with "Allow once"
    And the editor answers the open question of session 1 with "Reject"
    And the editor answers the open question of session 2 with "Reject"
    Then the late answer ran nothing: the file "one" does not exist
    And the late answer ran nothing: the file "two" does not exist
    And the late answer ran nothing: the file "another" does not exist
    And the turn of session 1 ended with "end_turn"
    And the turn of session 2 ended with "end_turn"
    And the audit log of session 1 holds the decisions "cancelled | rejected"
    And the audit log of session 2 holds the decisions "rejected"

  @scenario:resume-late-form
  @MUSE-CLOSE-04 @ACP-RES-03
  Scenario: The form of the closed session is filled in when the resumed one shows a form
    Given an adapter that closes and resumes sessions
    And an editor that shows forms
    And when Muse hears "paint it"
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And when Muse hears "and the door"
    And Muse asks the user "Which one for the door?", with the choices "red | blue"
    And Muse says "As you like."
    And the editor will leave the form open
    And the editor will leave the form open
    When the user sends "paint it" and the editor is shown a form
    And the editor closes the session
    And the editor resumes the session
    And the user sends "and the door" and the editor is shown a form
    And the editor fills in "Which colour?" of the open form with "red"
    And the editor declines the open form
    Then the late answer reached no Muse
    And Muse took the session up again, and turn 2 went on where it was

  @scenario:resume-open-session
  @ACP-RES-01 @ACP-RES-02 @MUSE-CLOSE-08
  Scenario: A session is resumed that is open
    Given an adapter that resumes sessions
    When the user sets "mode" to "rejectApprovals"
    And the editor resumes the session
    Then the resumed session showed "mode=rejectApprovals sandbox-mode=read-only approval-policy=ask"
    And nothing was told of the session before it was resumed

  @scenario:resume-while-talking
  @MUSE-CLOSE-09
  Scenario: A session is resumed in the middle of its turn
    Given an adapter that resumes sessions
    And Muse says "Once upon", and never ends its sentence
    When the user sends "tell me something" and has been shown "Once upon"
    And the editor resumes the session
    Then it was not resumed, for its turn runs: the error was -32600
    When the user stops the turn
    Then the turn ended with "cancelled"

  @scenario:resume-unknown
  @ACP-RES-04 @MUSE-CLOSE-05
  Scenario: A session is resumed that never was
    Given an adapter that resumes sessions
    When the editor calls "session/resume" with: {"sessionId":"01890a5d-ac96-774b-bcce-b302099a8057","cwd":"{{workspace}}","mcpServers":[]}
    Then the resume was refused
    And the resume was refused with the error -32602

  @scenario:resume-refused
  @MUSE-CLOSE-05 @MUSE-CLOSE-01 @ACP-CLOSE-05
  Scenario Outline: A session is resumed where it cannot be: <case>
    Given an adapter that closes and resumes sessions
    And when Muse hears "hello"
    And Muse says "Hello."
    When the user sends "hello"
    And the editor closes the session
    And the editor resumes the session in the folder "<folder>"
    Then the resume was refused with the error -32602
    When the user sends "again"
    Then the closed session took nothing: the prompt was refused with the error -32602

    Examples:
      | case         | folder             |
      | other-folder | {{workspace}}/sub  |
      | relative     | sub                |
      | missing      | {{workspace}}/gone |
