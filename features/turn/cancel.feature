@turn @cancel
Feature: The user stops a turn

  A stopped turn is answered as cancelled, and the session is ready for the next one.

  @scenario:cancel-while-talking @soak
  @ACP-CAN-01 @ACP-CAN-06 @MUSE-TURN-21 @ACP-CAN-04
  Scenario: While Muse is talking
    Given when Muse hears "count"
    And Muse says "One, two", and never ends its sentence
    And when Muse hears "anything new"
    And Muse says "Nothing new."
    When the user sends "count" and has been shown "One, two"
    And the user stops the turn
    Then the turn ended with "cancelled"
    And by then Muse was told to stop, or was ended
    When the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And the user was shown "One, twoNothing new."
    And Muse was started 2 times, with "serve"

  @scenario:cancel-while-thinking
  @ACP-CAN-01 @ACP-CAN-06
  Scenario: Before the first word, while Muse is thinking
    Given when Muse hears "ponder"
    And Muse thinks "Let me see"
    And Muse falls silent in the middle of its turn
    And when Muse hears "anything new"
    And Muse says "No."
    When the user sends "ponder" and has been shown the thought "Let me see"
    And the user stops the turn
    Then the turn ended with "cancelled"
    When the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And the user was shown "No."

  @scenario:cancel-twice
  @ACP-CAN-01 @ACP-CAN-09
  Scenario: Twice, and the next turn asks for permission
    Given when Muse hears "count"
    And Muse says "One, two"
    And Muse falls silent in the middle of its turn
    And when Muse hears "marker"
    And Muse wants to run "echo ran >> marker" and asks first
    And the editor will answer "Allow once"
    When the user sends "count" and has been shown "One, two"
    And the user stops the turn 2 times in one write
    Then the turn ended with "cancelled"
    When the user sends "write the marker"
    Then the session went on: the next turn ended with "end_turn"
    And the file "marker" exists

  @scenario:cancel-after-the-end
  @ACP-CAN-07 @ACP-PR-10
  Scenario: After the turn has ended
    Given when Muse hears "hello"
    And Muse says "Hello."
    And when Muse hears "again"
    And Muse says " Hello again."
    When the user sends "hello"
    Then the turn ended with "end_turn"
    When the user stops the session, though no turn runs
    And the user sends "again"
    Then the session went on: the next turn ended with "end_turn"
    And the user was shown "Hello. Hello again."

  @scenario:cancel-during-start
  @ACP-CAN-01 @MUSE-TURN-20
  Scenario Outline: While Muse is being started: <case>
    Given Muse will not answer when "<method>" is called for the first time
    When the user sends "work" and Muse has been called with "<method>"
    And the user stops the turn
    Then the turn ended with "cancelled"
    And the prompt "work" never reached Muse

    Examples:
      | case      | method        |
      | handshake | initialize    |
      | session   | session/start |

  @scenario:cancel-before-acknowledgement
  @ACP-CAN-01 @ACP-CAN-06 @MUSE-FAIL-01
  Scenario: After the turn was sent, and before Muse has acknowledged it
    Given Muse will not answer when "turn/start" is called for the first time
    And when Muse hears "anything new"
    And Muse says "No."
    When the user sends "work" and Muse has been called with "turn/start"
    And the user stops the turn
    Then the turn ended with "cancelled"
    When the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And the prompt "work" reached Muse once
    And the user was shown "No."
