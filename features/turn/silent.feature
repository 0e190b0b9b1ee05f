@turn @cancel
Feature: Muse says nothing any more

  A Muse that has fallen silent does not stop when it is told to. The adapter waits for it for a while, and then gives it
  up: the stopped turn is answered as cancelled, and the next one is for a new Muse.

  @scenario:silent-while-talking
  @ACP-CAN-06 @MUSE-TURN-22
  Scenario: In the middle of what it says
    Given an adapter that gives Muse 300 ms to stop after a cancel
    And when Muse hears "count"
    And Muse says "One, two"
    And Muse says nothing any more
    And when Muse hears "anything new"
    And Muse says ", three."
    When the user sends "count" and has been shown "One, two"
    And the user stops the turn
    Then Muse was given up, and the turn ended with "cancelled"
    When the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And the user was shown "One, two, three."

  @scenario:silent-while-thinking
  @ACP-CAN-06 @MUSE-TURN-22
  Scenario: Before its first word, while it is thinking
    Given an adapter that gives Muse 300 ms to stop after a cancel
    And when Muse hears "ponder"
    And Muse thinks "Let me see"
    And Muse says nothing any more
    And when Muse hears "anything new"
    And Muse says "No."
    When the user sends "ponder" and has been shown the thought "Let me see"
    And the user stops the turn
    Then Muse was given up, and the turn ended with "cancelled"
    When the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And the user was shown "No."

  @scenario:silent-while-asking
  @ACP-CAN-06 @ACP-PERM-11 @REQ-ACP-14 @MUSE-PERM-24 @MUSE-TURN-22
  Scenario: While the editor is asked
    Given an adapter that gives Muse 300 ms to stop after a cancel
    And Muse will say nothing any more when "turn/cancel" is called for the first time
    And when Muse hears "touch the marker"
    And Muse wants to run "touch marker" and asks first
    And when Muse hears "anything new"
    And Muse says "No."
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And the user stops the turn
    Then Muse was given up, and the turn ended with "cancelled"
    And the tool call of "touch marker" ended as "failed", with the text "approval for tool \"bash\" was cancelled"
    And Muse was sent no decision, only a cancel of the turn
    When the editor answers the open question with "Allow once"
    And the user sends "anything new?"
    Then the next turn ended with "end_turn"
    And Muse was never told to go ahead
    And the file "marker" does not exist
