@approval
Feature: The editor dismisses what nobody told it about

  An editor closes a question without an answer when its user has none. That is no answer at all: it grants nothing, and
  it is not the answer of the question before.

  @scenario:dismissed-without-a-word
  @ACP-PERM-05 @ACP-PERM-07 @REQ-ACP-08 @REQ-ASK-05 @MUSE-PERM-13
  Scenario: The user allows one command, and the editor dismisses the question about the next
    Given an editor that dismisses what nobody told it about
    And Muse wants to run "echo one >> one.txt" and asks first
    And Muse wants to run "echo two >> two.txt" and asks first
    And Muse says "Only one is written."
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And the file "one.txt" holds "one" once
    And the file "two.txt" does not exist
    And Muse was told "Allow once | Reject"
    And the model read "approval for tool \"bash\" was cancelled"
    And the tool call of "two.txt" ended as "failed", with the text "approval for tool \"bash\" was cancelled"
    And the user was shown "Only one is written."
    And the turn ended with "end_turn"

  @scenario:dismissed-part
  @ACP-PERM-07 @MUSE-PERM-13 @MUSE-PERM-21
  Scenario: The user allows one part of a command, and the editor dismisses the question about the other
    Given an editor that dismisses what nobody told it about
    And Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    And Muse says "Nothing is written."
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the editor was asked 2 times
    And Muse was told "Allow once | Reject"
    And Muse took every decision, each for a stage of its own
    And the file "one.txt" does not exist
    And the file "two.txt" does not exist
    And the tool call of "echo one" ended as "failed"
    And the turn ended with "end_turn"
