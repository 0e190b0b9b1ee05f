@session
Feature: One turn after the other

  @scenario:two-turns @soak
  @ACP-PR-10 @MUSE-SESS-02
  Scenario: Two turns of one session
    Given when Muse hears "hello"
    And Muse says "Hello."
    And when Muse hears "again"
    And Muse says " Hello again."
    When the user sends "hello"
    Then the turn ended with "end_turn"
    When the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And the user was shown "Hello. Hello again."
    And the same Muse took both turns
    And Muse was started 1 times, with "serve"
