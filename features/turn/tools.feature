@turn
Feature: Tools that Muse does not ask about

  @scenario:tool-unasked @soak
  @ACP-TOOL-01 @MUSE-PERM-02 @MUSE-TURN-14 @REQ-ACP-18
  Scenario: Muse runs a command without asking
    Given Muse wants to run "echo ran >> marker && echo written" and does not ask
    And Muse says "Done."
    When the user sends "write the marker"
    Then the editor was not asked
    And the file "marker" exists
    And the tool call "echo ran >> marker" went through "pending, in_progress, completed"
    And the user was shown "Done."
    And the turn ended with "end_turn"

  @scenario:tool-fails
  @ACP-TOOL-13 @MUSE-TURN-14
  Scenario: A command fails, and the turn goes on
    Given Muse wants to run "echo no such thing >&2; exit 3" and does not ask
    And Muse says "It did not work."
    When the user sends "try it"
    Then the tool call of "exit 3" ended as "failed"
    And the user was shown "It did not work."
    And the turn ended with "end_turn"
