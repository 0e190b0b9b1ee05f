@turn @approval @variants
Feature: Muse does the same things in another order

  Real Muses differ, by version and by luck: an answer comes before or behind its events, a question comes as a
  notification, as a request or as both. The user sees the same.

  @scenario:variants
  @ACP-PR-08 @ACP-PERM-05 @ACP-TOOL-01 @MUSE-PERM-01 @MUSE-PERM-08 @MUSE-PERM-11 @MUSE-PERM-20 @MUSE-TURN-02 @MUSE-TURN-06 @MUSE-TURN-14 @MUSE-TURN-25
  Scenario Outline: A turn that talks and a turn that asks: <case>
    Given when Muse hears "hello"
    And Muse thinks "The user greets me."
    And Muse says "Hello" and then " there."
    And when Muse hears "marker"
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says " Done."
    And the editor will answer "Allow once"
    When the user sends "hello"
    Then the user was shown the thought "The user greets me."
    And the user was shown "Hello there."
    And the turn ended with "end_turn"
    When the user sends "write the marker"
    Then the editor was asked once, about "echo ran >> marker", with "Allow once | Always allow in this workspace: echo ... | Reject"
    And the file "marker" did not exist before the answer
    And the file "marker" holds "ran" once
    And Muse was told "Allow once"
    And Muse took every decision, each for a stage of its own
    And the tool call "echo ran >> marker" went through "pending, in_progress, completed"
    And the user was shown "Hello there. Done."
    And the turn ended with "end_turn"

    Examples:
      | case                  |
      | events-first          |
      | request-first         |
      | approval-notification |
      | approval-request      |
      | cursor-numbered       |
      | cursor-empty          |
      | no-decided-at         |
      | last-stage-repeated   |
      | live-order            |
      | own-approval-ids      |
      | status-events         |
      | usage-silent          |

  @scenario:late-answers @soak
  @ACP-PR-08 @ACP-PERM-05 @MUSE-PERM-11 @MUSE-PERM-20 @MUSE-TURN-02 @MUSE-TURN-14
  Scenario: Muse acknowledges a turn and a decision behind all that follows from them
    Given Muse says "I will write it."
    And Muse wants to run "echo ran >> marker" and asks first
    And Muse says " Done."
    And the editor will answer "Allow once"
    When the user sends "write the marker"
    Then the file "marker" holds "ran" once
    And Muse was told "Allow once"
    And Muse took every decision, each for a stage of its own
    And the user was shown "I will write it. Done."
    And the turn ended with "end_turn"
