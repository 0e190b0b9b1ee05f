@approval @policy
Feature: The options of a session

  A session has two options about approvals: the mode of the sandbox that commands run in, and the approval policy. The
  editor shows them and sets them; every answer shows all of them as they are now.

  @scenario:config-options @soak
  @REQ-POL-04 @REQ-POL-05 @REQ-POL-06 @REQ-APPR-26
  Scenario: The editor sets both options, and what cannot be is refused
    When the user begins a session
    And the user sets "approval-policy" to "never"
    And the user sets "sandbox-mode" to "workspace-write"
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"approval-policy","value":"sometimes"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"sandbox-mode","value":"none"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"approvals","value":"ask"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"approval-policy","type":"boolean","value":true}
    And the editor calls "session/set_config_option" with: {"sessionId":"0199c7b2-0000-7000-8000-000000000000","configId":"approval-policy","value":"ask"}
    And the user sets "approval-policy" to "ask"
    Then a new session has the options "mode=default sandbox-mode=read-only approval-policy=ask"
    And the option "sandbox-mode" of a new session is, in full, {"id":"sandbox-mode","name":"Sandbox","description":"The file sandbox mode bash commands in this session run under.","type":"select","currentValue":"read-only","options":[{"value":"read-only","name":"read-only"},{"value":"workspace-write","name":"workspace-write"},{"value":"danger-full-access","name":"danger-full-access"}]}
    And the option "approval-policy" of a new session is, in full, {"id":"approval-policy","name":"Approvals","description":"ask: permission prompts reach you; never: they are rejected automatically.","type":"select","currentValue":"ask","options":[{"value":"ask","name":"ask"},{"value":"never","name":"never"}]}
    And the answers to the changes showed "mode=default sandbox-mode=read-only approval-policy=never | mode=default sandbox-mode=workspace-write approval-policy=never | mode=default sandbox-mode=workspace-write approval-policy=ask"
    And each refusal named what it refused: "sometimes | none | approvals | approval-policy | 0199c7b2-0000-7000-8000-000000000000"

  @scenario:options-without-sandbox
  @REQ-POL-04 @REQ-POL-06
  Scenario: An adapter that knows no sandbox has no option for it
    Given the adapter was started with "--sandbox-mode=none"
    When the user begins a session
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"sandbox-mode","value":"read-only"}
    Then a new session has the options "mode=default approval-policy=ask"
    And each refusal named what it refused: "read-only"

  @scenario:options-without-approvals
  @REQ-POL-04 @REQ-POL-06
  Scenario: An adapter without approvals has no policy to set
    Given the adapter was started with "--no-approvals"
    When the user begins a session
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"approval-policy","value":"never"}
    Then a new session has the options "mode=default sandbox-mode=read-only"
    And each refusal named what it refused: "never"
