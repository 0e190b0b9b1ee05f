@turn
Feature: Neither more nor less than what Muse says

  @scenario:raw-reasoning
  @MUSE-TURN-03
  Scenario: Muse keeps its reasoning to itself, and shows a summary
    Given Muse thinks "I look at the list.", and keeps "The user's name is on no list." to itself
    And Muse says "Done."
    When the user sends "am I on the list?"
    Then the user was shown the thought "I look at the list.", and nothing of "The user's name is on no list."

  @scenario:numbers-of-a-tool
  @MUSE-TURN-05 @MUSE-PERM-06
  Scenario: A tool is called with numbers that a computer likes to change
    Given Muse wants to run "touch marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the input of "touch marker" was shown, and asked about, with "12345678901234567890" in it
    And the input of "touch marker" was shown, and asked about, with "1.0" in it
    And the file "marker" exists
