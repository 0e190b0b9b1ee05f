@approval @failure
Feature: Muse does not move

  @scenario:approval-stuck
  @MUSE-PERM-25 @MUSE-FAIL-01 @ACP-PERM-01
  Scenario: Muse takes the answer about one part, and never asks about the next
    Given the adapter was started with "--stall-deadline=300ms"
    And when Muse hears "work"
    And Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    But Muse takes the answer about one part, and then says nothing of the next
    And when Muse hears "again"
    And Muse says "Back again."
    And the editor will answer "Allow once"
    When the user sends "work"
    Then the prompt failed with the error -32603, for Muse did not move
    And the file "one.txt" does not exist yet
    And the prompt "work" reached Muse once
    When the user sends "again"
    Then the user was shown "Back again."
