@approval
Feature: An approval that is nobody's

  What a subagent wants to do, no user has asked for, and no user is asked about. It is refused, for this once.

  @scenario:approval-of-a-subagent
  @REQ-ACP-19
  Scenario: A subagent wants to run a command
    Given a subagent of Muse wants to run "touch marker" and asks first
    And Muse says "My helper left it."
    When the user sends "let your helper touch the marker"
    Then nobody was asked about the work of the subagent
    And the work of the subagent was refused with "Reject"
    And the file "marker" does not exist
    And the user was shown "My helper left it."
