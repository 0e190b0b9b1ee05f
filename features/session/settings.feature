@session
Feature: Modes and options

  A session may have modes, and options that can be set. They are the session's own. Every answer to a change shows all
  options as they are, and what is not offered changes nothing.

  @scenario:modes-and-options @soak
  @ACP-MODE-02 @ACP-MODE-03 @ACP-MODE-05
  @ACP-CFG-04 @ACP-CFG-05 @ACP-CFG-06 @ACP-CFG-07 @ACP-CFG-08 @ACP-CFG-10 @ACP-CFG-11
  Scenario: In one session of two modes and options are set, while it rests and while its turn runs
    Given when Muse hears "tell me something"
    And Muse says "Once upon", and never ends its sentence
    When there are 2 sessions
    And the editor sets the mode "rejectApprovals"
    And the user sets "mode" to "rejectApprovals"
    And the editor sets the mode "rejectApprovals"
    And the editor sets the mode "rejectApprovals"
    And the user sets "approval-policy" to "never"
    And the user sets "mode" to "rejectApprovals"
    And the editor calls "session/set_mode" with: {"sessionId":"{{session}}","modeId":"no-such-mode"}
    And the editor calls "session/set_mode" with: {"sessionId":"0199c7b2-0000-7000-8000-000000000000","modeId":"rejectApprovals"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"no-such-option","value":"never"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"approval-policy","value":"no-such-value"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"approval-policy","type":"boolean","value":true}
    And the editor calls "session/set_config_option" with: {"sessionId":"0199c7b2-0000-7000-8000-000000000000","configId":"approval-policy","value":"never"}
    And the user sets "approval-policy" to "never"
    Then each mode that is offered could be set, also where it was set already
    And what is not offered was refused
    And each answer to a change showed all options, as they had been set
    When the user sends "tell me something" and has been shown "Once upon"
    And the user sets "mode" to "default" in session 1
    Then nothing was changed in the other session
    When the editor sets the mode "default"
    And the user sets "approval-policy" to "ask"
    Then the changes were answered while the turn ran
    When the user stops the turn
    Then the turn ended with "cancelled"
