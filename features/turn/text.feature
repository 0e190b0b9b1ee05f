@turn
Feature: Turns that only talk

  What Muse thinks and says reaches the user whole, once, and before the turn is answered.

  @scenario:text-turn @soak
  @ACP-INIT-01 @ACP-INIT-02 @ACP-INIT-05 @ACP-PR-01 @ACP-PR-05 @ACP-PR-08 @ACP-NEW-03
  @MUSE-SESS-01 @MUSE-SESS-05 @MUSE-SESS-06 @MUSE-TURN-02 @MUSE-TURN-14 @MUSE-TURN-25
  Scenario: Muse thinks, then answers in two pieces
    Given Muse thinks "The user greets me."
    And Muse says "Hello" and then " there."
    When the user sends "hello"
    Then the connection was opened in version 1 of the protocol
    And the user was shown the thought "The user greets me."
    And the user was shown "Hello there."
    And the turn ended with "end_turn"
    And Muse heard "hello"
    And Muse was not started before the first prompt
    And Muse was started 1 times, with "serve"
    And Muse was set to work in the session's folder
    And Muse was called in this order: "initialize, initialized, session/resume, session/start, session/setApprovalMode, session/setModel, session/read, turn/start, session/read"

  @scenario:prompt-and-cancel-in-one-write @soak
  @ACP-CAN-08
  Scenario: The user stops the turn in the same write as the prompt, again and again
    Given Muse would fall silent in the middle of every turn
    When the user sends "work" and stops it in the same write, 200 times
    Then all 200 turns ended with "cancelled"

  @scenario:two-prompts-in-one-write @soak
  @MUSE-TURN-01
  Scenario: A second prompt in the same write keeps its place behind the first
    Given Muse says "The first."
    When in one write, "first" and "second" are sent
    Then the first was carried out and the second was refused with the error 32600
    And the user was shown "The first."
    And Muse heard "first"
