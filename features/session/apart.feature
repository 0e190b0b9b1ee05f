@session
Feature: What happens in one session is no matter of another

  @scenario:sessions-apart @soak
  @ACP-CAN-12 @ACP-ISO-01 @ACP-ISO-03 @ACP-ISO-04
  Scenario: One of two turns is stopped, a session is made while the other runs, and its Muse dies
    Given when Muse hears "find the kitten"
    And Muse wants to run "touch kitten" and asks first
    And when Muse hears "find the puppy"
    And Muse wants to run "touch puppy" and asks first
    And Muse says "Found."
    And when Muse hears "find the parrot"
    And Muse ends with the exit code 1
    And when Muse hears "find the pony"
    And Muse says "Found as well."
    And the editor will leave the question open
    And the editor will leave the question open
    When there are 2 sessions
    And in one write, "find the kitten" is sent in session 1 and "find the puppy" in session 2, and the editor is asked in both
    And the user stops the turn of session 1
    Then only that turn was stopped: that of session 2 is still open
    When another session
    And the editor answers the open question of session 2 with "Allow once"
    Then the turn of session 2 was disturbed by neither: it ended with "end_turn"
    When the user sends "find the parrot" in session 3
    And the user sends "find the pony" in session 2
    Then session 2 was not taken down by it: its turn ended with "end_turn"
    And what was said in one session never reached Muse in another
