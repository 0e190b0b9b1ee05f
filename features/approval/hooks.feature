@approval @hooks
Feature: A hook looks at a tool call before it may run

  A hook is a program of the user's that is told of each tool call that asks. It may have the call asked about, or deny
  it. It never allows anything: where it has nothing to say, Muse's own question goes to the editor.

  @scenario:hook-asks @soak
  @REQ-HOOK-01 @REQ-HOOK-04 @REQ-ACP-03 @REQ-ACP-04 @REQ-ACP-05 @REQ-ACP-07 @REQ-APPR-03 @REQ-APPR-29 @REQ-ASK-07 @REQ-AUD-03 @MUSE-PERM-30
  Scenario: A hook has the call asked about, and the user allows it
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"
    And Muse wants to run "touch marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the file "marker" did not exist before the first answer
    And the file "marker" exists
    And Muse was told "Allow once"
    And the tool call "touch marker" went through "pending, in_progress, completed"
    And the turn ended with "end_turn"
    And the audit log goes "turn/start, tool/call, hook/invoked, hook/result, approval/asked, approval/decided, tool/result, turn/end"
    And the audit log's question is, in full, {"id":"{id}","toolName":"bash","callId":"{call}","reason":"files are made here"}
    And what the audit log holds reached neither the editor nor Muse

  @scenario:hook-not-granted
  @REQ-ASK-11
  Scenario Outline: A hook has the call asked about, and the answer is no grant: <case>
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"
    And Muse wants to run "touch marker" and asks first
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
    And what the audit log holds reached neither the editor nor Muse

    @REQ-ASK-04 @REQ-ACP-08 @REQ-HOOK-01
    Examples: The user rejects
      | case           | result                                                           | decision | text                            |
      | rejected       | {"outcome":{"outcome":"selected","optionId":"reject-once"}}      | rejected | the user rejected tool \"bash\" |

    @REQ-ASK-04 @REQ-ACP-09 @REQ-HOOK-01
    Examples: Options that nobody offered
      | case           | result                                                           | decision | text                            |
      | not-offered    | {"outcome":{"outcome":"selected","optionId":"allow_once"}}       | rejected | the user rejected tool \"bash\" |
      | no-option      | {"outcome":{"outcome":"selected"}}                               | rejected | the user rejected tool \"bash\" |

    @REQ-ASK-05 @REQ-ACP-08 @REQ-HOOK-01
    Examples: The user dismisses
      | case           | result                                                           | decision  | text                                        |
      | dismissed      | {"outcome":{"outcome":"cancelled"}}                              | cancelled | approval for tool \"bash\" was cancelled    |

    @REQ-ASK-06 @REQ-ACP-10 @REQ-HOOK-01
    Examples: Outcomes that nobody knows
      | case            | result                                                          | decision    | text                                                                          |
      | no-outcome      | {"outcome":{"optionId":"allow-once"}}                           | unavailable | tool \"bash\" requires approval, but no approval channel is available         |
      | unknown-outcome | {"outcome":{"outcome":"allowed","optionId":"allow-once"}}       | unavailable | tool \"bash\" requires approval, but no approval channel is available         |

    @REQ-ASK-06 @REQ-ACP-12 @REQ-HOOK-01
    Examples: Nothing at all
      | case           | result                                                           | decision    | text                                                                          |
      | nothing        | {}                                                               | unavailable | tool \"bash\" requires approval, but no approval channel is available         |
      | null           | null                                                             | unavailable | tool \"bash\" requires approval, but no approval channel is available         |

  @scenario:hook-denies
  @REQ-HOOK-02 @REQ-HOOK-03
  Scenario Outline: A hook denies the call, and nobody is asked: <case>
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/<case>.sh"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "no files, says the hook"
    And the audit log holds no question

    Examples:
      | case   |
      | exit-2 |
      | deny   |
      | block  |

  @scenario:hooks-ask-and-deny
  @REQ-HOOK-02 @REQ-HOOK-04
  Scenario: Of two hooks the stricter one counts
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/ask.sh"
    And the adapter was started with "--hook=/bin/sh {{workspace}}/deny.sh"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "no files, says the hook"
    And the audit log holds no question
    And the audit log goes "turn/start, tool/call, hook/invoked, hook/result, tool/result, turn/end"

  @scenario:hooks-both-ask
  @REQ-HOOK-02 @REQ-HOOK-01
  Scenario: Two hooks that ask make one question, with both reasons
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/ask.sh"
    And the adapter was started with "--hook=/bin/sh {{workspace}}/allow.sh"
    And the adapter was started with "--hook=/bin/sh {{workspace}}/also.sh"
    And Muse wants to run "touch marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the question held only its session, its tool call and the one-shot options "Allow once | Reject"
    And the file "marker" exists
    And the audit log gives the reasons "files are made here\n\nthe folder is shared"
    And the audit log holds the decisions "allowed-once"

  @scenario:hook-asks-once
  @REQ-HOOK-01 @REQ-HOOK-04
  Scenario: A hook asks once about a command that Muse asks about part by part
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"
    And Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    And Muse says "Both are written."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "write one and two"
    Then the questions offered "Allow once, Reject | Allow once, Always allow in this workspace: echo ..., Reject"
    And the file "one.txt" exists
    And the audit log goes "turn/start, tool/call, hook/invoked, hook/result, approval/asked, approval/decided, approval/asked, approval/decided, tool/result, turn/end"
    And the audit log gives the reasons "files are made here | "

  @scenario:hook-says-nothing
  @REQ-HOOK-03 @REQ-HOOK-02
  Scenario Outline: A hook that decides nothing leaves the question to Muse: <case>
    Given the adapter was started with "--hook=<hook>"
    And Muse wants to run "touch marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the question about "touch marker" offered "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "marker" did not exist before the first answer
    And the file "marker" exists
    And the audit log gives the reasons ""
    And the audit log holds the decisions "allowed-once"

    Examples:
      | case        | hook                                 |
      | allow       | /bin/sh {{workspace}}/allow.sh       |
      | quiet       | /bin/sh {{workspace}}/quiet.sh       |
      | no-json     | /bin/sh {{workspace}}/no-json.sh     |
      | exit-1      | /bin/sh {{workspace}}/exit-1.sh      |
      | other-event | /bin/sh {{workspace}}/other-event.sh |
      | no-event    | /bin/sh {{workspace}}/no-event.sh    |
      | older-ask   | /bin/sh {{workspace}}/older-ask.sh   |
      | killed      | /bin/sh {{workspace}}/killed.sh      |
      | not-there   | no-such-program                      |

  @scenario:hook-too-slow
  @REQ-HOOK-03
  Scenario: A hook that takes too long decides nothing
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"
    And an adapter that gives a hook 300 ms to answer
    And Muse wants to run "touch marker" and asks first
    And Muse says "Done."
    And the editor will answer "Allow once"
    When the user sends "please touch the marker"
    Then the question about "touch marker" offered "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "marker" exists
    And the audit log gives the reasons ""

  @scenario:hook-under-never
  @REQ-APPR-07 @REQ-AUD-04 @REQ-ASK-04
  Scenario: What a hook asks is rejected under the policy never, and nobody is asked
    Given the adapter was started with "--hook=/bin/sh {{workspace}}/hook.sh"
    And the adapter was started with "--approval-policy=never"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And the model read "the user rejected tool \"bash\""
    And the audit log gives the reasons "files are made here"
    And the audit log holds the decisions "rejected"
