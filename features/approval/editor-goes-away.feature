@approval
Feature: An end while the editor is asked

  @scenario:editor-goes-away
  @REQ-ACP-13 @MUSE-AUD-04
  Scenario: The editor goes away while it is asked
    Given Muse wants to run "touch marker" and asks first
    And the editor will go away while it is asked
    When the user sends "please touch the marker"
    Then Muse was never told to go ahead
    And the file "marker" does not exist
    And the audit log says that what nobody answered ended as "unavailable"

  @scenario:told-to-end
  @REQ-ACP-17 @ACP-TRN-15
  Scenario: The adapter is told to end while the editor is asked
    Given Muse wants to run "touch marker" and asks first
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And the adapter is told to end
    Then Muse was never told to go ahead
    And the file "marker" does not exist
    And the audit log holds the decisions "cancelled"
