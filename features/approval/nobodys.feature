@approval
Feature: An approval that is nobody's

  What a subagent wants to do, no user has asked for, and no user is asked about. It is refused, for this once.

  @scenario:approval-of-a-subagent
  @REQ-ACP-19 @MUSE-AUD-04
  Scenario: A subagent wants to run a command
    Given a subagent of Muse wants to run "touch marker" and asks first
    And Muse says "My helper left it."
    When the user sends "let your helper touch the marker"
    Then nobody was asked about the work of the subagent
    And the work of the subagent was refused with "Reject"
    And the file "marker" does not exist
    And the user was shown "My helper left it."
    And the audit log says that what nobody answered ended as "unavailable"

  @scenario:subagent-and-hook
  @REQ-ACP-19 @MUSE-AUD-04
  Scenario: A hook has calls asked about, and a subagent wants to run a command
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"
    And a subagent of Muse wants to run "touch marker" and asks first
    And Muse says "My helper left it."
    When the user sends "let your helper touch the marker"
    Then nobody was asked about the work of the subagent
    And the work of the subagent was refused with "Reject"
    And the file "marker" does not exist
    And the audit log says that what nobody answered ended as "unavailable"

  @scenario:subagent-in-a-mode
  @REQ-ACP-19 @MUSE-AUD-04
  Scenario: The adapter approves for the user, but not what a subagent wants to run
    Given a subagent of Muse wants to run "touch marker" and asks first
    And Muse says "My helper left it."
    When the user sets "mode" to "bypassApprovals"
    And the user sends "let your helper touch the marker"
    Then nobody was asked about the work of the subagent
    And the work of the subagent was refused with "Reject"
    And the file "marker" does not exist
    And the audit log says that what nobody answered ended as "unavailable"

  @scenario:approval-of-another-session
  @REQ-ACP-01 @REQ-ASK-03
  Scenario: Muse asks about the work of a session that this editor does not have
    Given in another session Muse wants to run "touch marker" and asks first
    And Muse says "One moment."
    And Muse waits for the other session
    And Muse says " All is well."
    When the user sends "how are you?" and has been shown "One moment."
    And the other session goes on
    Then the editor was not asked
    And Muse was never told to go ahead
    And the file "marker" does not exist
    And the model read "tool \"bash\" requires approval, but the call has no agent to route it through"
    And the user was shown "One moment. All is well."
    And the turn ended with "end_turn"

  @scenario:approval-without-a-call
  @REQ-ACP-02 @MUSE-AUD-04
  Scenario: Muse asks, and does not say about which tool call
    Given Muse wants to run "touch marker" and asks first, without a word about the tool call
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And Muse was never told to go ahead
    And the file "marker" does not exist
    And the user was shown "I leave it."
    And the turn ended with "end_turn"
    And the audit log says that what nobody answered ended as "unavailable"

  @scenario:mode-without-a-call
  @REQ-ACP-02 @MUSE-AUD-04
  Scenario: The adapter approves for the user, and Muse does not say about which tool call it asks
    Given Muse wants to run "touch marker" and asks first, without a word about the tool call
    And Muse says "I leave it."
    When the user sets "mode" to "bypassApprovals"
    And the user sends "please touch the marker"
    Then the editor was not asked
    And Muse was never told to go ahead
    And the file "marker" does not exist
    And the turn ended with "end_turn"
    And the audit log says that what nobody answered ended as "unavailable"
