@approval
Feature: An editor that goes away

  @scenario:editor-goes-away
  @REQ-ACP-13
  Scenario: The editor goes away while it is asked
    Given Muse wants to run "touch marker" and asks first
    And the editor will go away while it is asked
    When the user sends "please touch the marker"
    Then Muse was never told to go ahead
    And the file "marker" does not exist
