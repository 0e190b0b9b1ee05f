@session @close
Feature: Closing a session

  To close a session ends what it does: its turn is stopped, its questions are withdrawn, its Muse goes away. After that
  nobody knows it any more, until it is resumed.

  @scenario:close-while-asked @approval @soak
  @ACP-CLOSE-01 @ACP-CLOSE-03 @ACP-CLOSE-05 @MUSE-CLOSE-02 @MUSE-CLOSE-03 @REQ-APPR-17 @ACP-ISO-03
  Scenario: A session is closed while it asks, and the answer comes late
    Given an adapter that closes sessions
    And when Muse hears "make one"
    And Muse wants to run "touch one" and asks first
    And when Muse hears "make two"
    And Muse wants to run "touch two" and asks first
    And Muse says "Two is made."
    And the editor will leave the question open
    And the editor will leave the question open
    When there are 2 sessions
    And in one write, "please make one" is sent in session 1 and "please make two" in session 2, and the editor is asked in both
    And the editor closes session 1
    Then the session was closed
    And the close ended the turn, with "cancelled"
    And its Muse had ended by then
    And nothing more was told of the closed session
    When the editor answers the open question of session 1 with "Allow once"
    And the editor answers the open question of session 2 with "Allow once"
    Then the late answer ran nothing: the file "one" does not exist
    And the other session was left alone: its turn ended with "end_turn"
    And the file "two" exists
    And the audit log of session 1 holds the decisions "cancelled"
    And the audit log of session 2 holds the decisions "allowed-once"

  @scenario:close-while-form-is-open
  @ACP-CLOSE-01 @ACP-CLOSE-03 @ACP-CLOSE-05 @MUSE-CLOSE-03
  Scenario: A session is closed while it shows a form, and the form is filled in late
    Given an adapter that closes sessions
    And an editor that shows forms
    And when Muse hears "paint it"
    And Muse asks the user "Which colour?", with the choices "red | blue"
    And when Muse hears "tell me something"
    And Muse says "Once upon a time."
    And the editor will leave the form open
    When there are 2 sessions
    And in session 1, the user sends "paint it" and the editor is shown a form
    And the editor closes session 1
    Then the session was closed
    And the close ended the turn, with "cancelled"
    When the editor fills in "Which colour?" of the open form of session 1 with "red"
    And the user sends "tell me something" in session 2
    Then the late answer reached no Muse
    And the other session was left alone: its turn ended with "end_turn"

  @scenario:close-while-talking @soak
  @ACP-CLOSE-01 @ACP-CLOSE-03 @ACP-CLOSE-05 @MUSE-CLOSE-01 @MUSE-CLOSE-02
  Scenario: A session is closed in the middle of its turn
    Given an adapter that closes sessions
    And when Muse hears "tell me something"
    And Muse says "Once upon", and never ends its sentence
    When the user sends "tell me something" and has been shown "Once upon"
    And the editor closes the session
    Then the session was closed
    And the close ended the turn, with "cancelled"
    And its Muse had ended by then
    And nothing more was told of the closed session
    When the user sends "and then?"
    Then the closed session took nothing: the prompt was refused with the error -32602

  @scenario:close-between-turns
  @ACP-CLOSE-03 @ACP-CLOSE-05 @MUSE-CLOSE-01 @MUSE-CLOSE-02 @ACP-CLOSE-02
  Scenario: A session is closed between two turns, and once more
    Given an adapter that closes sessions
    And when Muse hears "hello"
    And Muse says "Hello."
    When the user sends "hello"
    And the editor closes the session
    Then the session was closed
    And its Muse had ended by then
    When the user sends "again"
    Then the closed session took nothing: the prompt was refused with the error -32602
    When the editor closes the session
    Then the close was refused with the error -32602

  @scenario:close-unknown
  @MUSE-CLOSE-01 @ACP-CLOSE-04
  Scenario: A session is closed that never was
    Given an adapter that closes sessions
    When the editor calls "session/close" with: {"sessionId":"01890a5d-ac96-774b-bcce-b302099a8057"}
    Then the close was refused with the error -32602
    And the close was answered, with an object or an error
