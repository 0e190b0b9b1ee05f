@approval @failure
Feature: Muse does not move

  @scenario:approval-stuck
  @MUSE-PERM-25 @MUSE-FAIL-01 @ACP-PERM-01
  Scenario: Muse takes the answer about one part, and never asks about the next
    Given the adapter was started with "--stall-deadline=2s"
    And when Muse hears "work"
    And Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    But Muse takes the answer about one part, and then says nothing of the next
    And when Muse hears "again"
    And Muse says "Back again."
    And the editor will answer "Allow once"
    When the user sends "work"
    Then the prompt failed with the error -32603, for Muse did not move
    And what did not move was cancelled at Muse
    And the file "one.txt" does not exist yet
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the user was shown "Back again."

  @scenario:open-question-does-not-stall
  @MUSE-PERM-26
  Scenario: A user may think about a question for longer than Muse may stand still
    Given the adapter was started with "--stall-deadline=2s"
    And when Muse hears "touch slowly"
    And Muse wants to run "touch slowly" and asks first
    And Muse says "No hurry."
    And when Muse hears "work"
    And Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    But Muse takes the answer about one part, and then says nothing of the next
    And the editor will leave the question open
    And the editor will leave the question open
    When there are 2 sessions
    And in one write, "touch slowly" is sent in session 1 and "work" in session 2, and the editor is asked in both
    And the editor answers the open question of session 2 with "Allow once"
    Then the turn of session 2 failed for want of movement, which takes the time that Muse may stand still
    And the turn of session 1 is still open
    When the editor answers the open question of session 1 with "Allow once"
    Then the turn of session 1 ended with "end_turn"
    And the file "slowly" exists
