@recorded
Feature: Conversations that were recorded elsewhere

  A folder with an input.json of the original format is played as it stands.

  @scenario:recorded-conversation @soak
  @REQ-POL-05 @REQ-POL-06
  Scenario: Every operation of the original format
    Given the recorded conversation "recorded-conversation"
    Then the editor was asked once, about "touch note", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "note" exists
    And the file "another" does not exist
    And the turns ended with "end_turn, error, cancelled, end_turn"
    And the options were answered in full, and a wrong value was refused with the error -32602
