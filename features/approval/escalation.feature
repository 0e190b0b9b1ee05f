@approval @escalation
Feature: A tool call asks for wider rights

  The request for wider rights is one question, for one call. It carries two one-shot options and nothing else.

  @scenario:escalation-approved @soak
  @ACP-PERM-01 @REQ-ACP-03 @REQ-ACP-04 @REQ-ACP-05 @REQ-ACP-07 @REQ-ACP-08 @REQ-ESC-04 @REQ-ESC-09
  Scenario: The user allows it once
    Given Muse wants to run "printf 'escalated\n' > escalated.txt && cat escalated.txt" with the rights "workspace-write" because "the user asked to write escalated.txt in the workspace", and asks first
    And Muse wants to run "printf 'again\n' > again.txt" with the rights "workspace-write" because "the user asked for a second file", and asks first
    And Muse says "Wrote one of two."
    And the editor will answer "Allow once"
    And the editor will answer "Reject"
    When the user sends "write escalated.txt, then again.txt"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the editor was asked twice
    And the file "escalated.txt" did not exist before the first answer
    And the file "escalated.txt" exists
    And the file "again.txt" does not exist
    And Muse was told "Allow once | Reject"
    And the tool call "escalated.txt && cat" went through "pending, in_progress, completed"
    And the turn ended with "end_turn"
    And the audit log gives the reasons "escalate sandbox to workspace-write: the user asked to write escalated.txt in the workspace | escalate sandbox to workspace-write: the user asked for a second file"
    And the audit log holds the decisions "allowed-once | rejected"
    And what the audit log holds reached neither the editor nor Muse

  @scenario:escalation-rejected
  @ACP-PERM-06 @REQ-ACP-03 @REQ-ACP-04 @REQ-ACP-05 @REQ-ACP-07 @REQ-ESC-04 @REQ-ESC-05 @REQ-ESC-09
  Scenario: The user rejects it
    Given Muse wants to run "printf 'escalated\n' > escalated.txt && cat escalated.txt" with the rights "workspace-write" because "the user asked to write escalated.txt in the workspace", and asks first
    And Muse says "Nothing was written."
    And the editor will answer "Reject"
    When the user sends "write escalated.txt"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the file "escalated.txt" does not exist
    And Muse was told "Reject"
    And the model read "the user rejected escalating this command to \"workspace-write\""
    And the tool call of "escalated.txt && cat" ended as "failed", with the text "the user rejected escalating this command to \"workspace-write\""
    And the turn ended with "end_turn"

  @scenario:escalation-not-granted
  Scenario Outline: The answer is no grant: <case>
    Given Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    And the editor will answer with the result: <result>
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was never told to go ahead
    And Muse was told "Reject"
    And the model read "<text>"
    And the tool call of "touch marker" ended as "failed", with the text "<text>"
    And the turn ended with "end_turn"
    And the audit log holds the decisions "<decision>"

    @REQ-ESC-06 @REQ-ACP-08
    Examples: The user dismisses
      | case            | result                                                     | decision    | text                                                                                              |
      | dismissed       | {"outcome":{"outcome":"cancelled"}}                        | cancelled   | approval for escalating to \"workspace-write\" was cancelled                                      |

    @REQ-ESC-05 @REQ-ACP-09
    Examples: An option that nobody offered
      | case            | result                                                     | decision    | text                                                                                              |
      | not-offered     | {"outcome":{"outcome":"selected","optionId":"allow-ever"}} | rejected    | the user rejected escalating this command to \"workspace-write\"                                  |

    @REQ-ESC-07 @REQ-ACP-10
    Examples: An outcome that nobody knows
      | case            | result                                                     | decision    | text                                                                                              |
      | no-outcome      | {"outcome":{"optionId":"allow-once"}}                      | unavailable | sandbox escalation to \"workspace-write\" requires approval, but no approval channel is available |

    @REQ-ESC-07 @REQ-ACP-12
    Examples: Nothing at all
      | case            | result                                                     | decision    | text                                                                                              |
      | nothing         | {}                                                         | unavailable | sandbox escalation to \"workspace-write\" requires approval, but no approval channel is available |

  @scenario:escalation-error
  @REQ-ESC-07 @REQ-ACP-11
  Scenario: The editor answers with an error
    Given Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    And the editor will answer with the error: {"code":-32603,"message":"The question could not be shown."}
    When the user sends "please touch the marker"
    Then the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "sandbox escalation to \"workspace-write\" requires approval, but no approval channel is available"
    And the audit log holds the decisions "unavailable"

  @scenario:escalation-never
  @REQ-APPR-07 @REQ-ESC-05 @REQ-AUD-04
  Scenario: Nobody is asked under the policy never
    Given the adapter was started with "--approval-policy=never"
    And Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "the user rejected escalating this command to \"workspace-write\""
    And the audit log gives the reasons "escalate sandbox to workspace-write: the user asked for a marker"
    And the audit log holds the decisions "rejected"

  @scenario:escalation-invalid
  @REQ-ESC-02 @REQ-AUD-06
  Scenario Outline: A request that says too little is denied, and nobody is asked: <case>
    Given Muse wants to run "touch marker" with the rights "<rights>" because "<reason>", and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "<text>"
    And the audit log holds no question

    Examples:
      | case           | rights          | reason                     | text                                                                                      |
      | no-reason      | workspace-write |                            | invalid escalation: sandbox_permissions requires a justification                          |
      | no-rights      |                 | the user asked for a marker | invalid escalation: justification is only valid together with sandbox_permissions        |
      | unknown-rights | everything      | the user asked for a marker | invalid sandbox_permissions: expected \"workspace-write\" or \"danger-full-access\"      |

  @scenario:escalation-blank-reason
  @REQ-ESC-02 @REQ-AUD-06
  Scenario: A request with a reason that says nothing is denied, and nobody is asked
    Given Muse wants to run "touch marker" with the rights "workspace-write" because " ", and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "invalid justification: expected a non-empty sentence"
    And the audit log holds no question

  @scenario:escalation-not-wider
  @REQ-ESC-03 @REQ-AUD-06
  Scenario: A request for rights that the call has already is denied, and nobody is asked
    Given the adapter was started with "--sandbox-mode=danger-full-access"
    And Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "sandbox escalation to \"workspace-write\" is not strictly wider than this call's current \"danger-full-access\" mode"
    And the audit log holds no question

  @scenario:escalation-not-confining
  @REQ-ESC-08 @REQ-AUD-06
  Scenario: Where no sandbox confines there is nothing to widen
    Given the adapter was started with "--sandbox-mode=none"
    And Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "sandbox_permissions is not available in this composition (no sandboxing executor to escalate)"
    And the audit log holds no question

  @scenario:escalation-ends-with-its-call
  @REQ-ESC-09 @REQ-ESC-11 @REQ-APPR-23
  Scenario: The next call has no wider rights, and Muse asks about it as ever
    Given Muse wants to run "touch wide" with the rights "workspace-write" because "the user asked for it", and asks first
    And Muse wants to run "touch plain" and asks first
    And Muse says "One of two."
    And the editor will answer "Allow once"
    And the editor will answer "Reject"
    When the user sends "touch both"
    Then the question about "touch wide" offered "Allow once | Reject"
    And the question about "touch plain" offered "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "wide" exists
    And the file "plain" does not exist
    And Muse was told "Allow once | Reject"
    And the audit log gives the reasons "escalate sandbox to workspace-write: the user asked for it | "
    And the audit log holds the decisions "allowed-once | rejected"

  @scenario:escalation-asks-once
  @REQ-ESC-04 @REQ-ESC-11
  Scenario: Wider rights are asked about once, whatever parts the command has
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" with the rights "workspace-write" because "the user asked for both", and asks first, part by part: "echo one | echo two"
    And Muse says "Both are written."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the questions offered "Allow once, Reject | Allow once, Always allow in this workspace: echo ..., Reject"
    And the file "one.txt" exists
    And the audit log gives the reasons "escalate sandbox to workspace-write: the user asked for both | "

  @scenario:escalation-behind-a-hook
  Scenario Outline: A hook has looked at it first: <case>
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/<case>.sh"
    And Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And Muse says "I leave it."
    And the editor will answer "Reject"
    When the user sends "please touch the marker"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the editor was asked 1 times
    And the file "marker" does not exist
    And the model read "<text>"
    And the audit log gives the reasons "<reason>"
    And the audit log holds the decisions "rejected"

    @REQ-ESC-04 @REQ-ESC-05 @REQ-ACP-05
    Examples: What a hook allows is still asked about
      | case   | reason                                                          | text                                                             |
      | allows | escalate sandbox to workspace-write: the user asked for a marker | the user rejected escalating this command to \"workspace-write\" |

    @REQ-HOOK-01 @REQ-ASK-04 @REQ-ACP-05
    Examples: What a hook asks about is asked about once
      | case   | reason              | text                            |
      | asks   | files are made here | the user rejected tool \"bash\" |

  @scenario:escalation-no-once-choice
  @MUSE-PERM-30
  Scenario: Muse offers nothing that allows once, so nothing is decided
    Given Muse wants to run "touch marker" with the rights "workspace-write" because "the user asked for a marker", and asks first
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the prompt failed with the error -32603
    And Muse was sent no decision
    And the file "marker" does not exist
