@turn
Feature: What Muse says gets lost on its way

  A Muse that could not deliver all that it said tells so, and keeps what is missing for whoever asks.

  @scenario:gap-filled
  @MUSE-TURN-02 @MUSE-TURN-11
  Scenario Outline: The missing text is fetched: <case>
    Given Muse says "Before. "
    And Muse says "In " and then "between. ", and word of it gets lost
    And Muse says "After."
    When the user sends "tell me"
    Then the user was shown everything once: "Before. In between. After."
    And Muse was asked for what got lost, and for nothing again

    Examples:
      | case       |
      | text       |
      | told-first |

  @scenario:gap-not-filled
  @MUSE-TURN-12 @MUSE-TURN-24 @MUSE-FAIL-01
  Scenario: Muse no longer has what got lost
    Given Muse will refuse "view/page" with the error -32040 when it is called for the first time
    And when Muse hears "work"
    And Muse says "Before. "
    And Muse says "In between. ", and word of it gets lost
    And Muse says "After. "
    And when Muse hears "again"
    And Muse says "Back again."
    When the user sends "work"
    Then what got lost failed the turn, with the error -32603
    And nothing from behind what got lost was shown, only "Before. "
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the turn ended with "end_turn"
