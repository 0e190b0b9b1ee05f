@approval @modes
Feature: Modes in which the adapter answers for the user

  In two modes the adapter answers Muse's questions itself: it approves, or it rejects, each stage for this once. The
  policy stands above the mode. A question that the user has before them is never answered by a change of the mode.

  @scenario:mode-changes @soak
  @MUSE-MODE-01 @MUSE-MODE-02 @MUSE-MODE-03
  Scenario: The editor changes the mode, in both ways
    When the user begins a session
    And the editor calls "session/set_mode" with: {"sessionId":"{{session}}","modeId":"rejectApprovals"}
    And the editor calls "session/set_mode" with: {"sessionId":"{{session}}","modeId":"rejectApprovals"}
    And the editor calls "session/set_mode" with: {"sessionId":"{{session}}","modeId":"yolo"}
    And the editor calls "session/set_config_option" with: {"sessionId":"{{session}}","configId":"mode","value":"plan"}
    And the user sets "mode" to "bypassApprovals"
    And the user sets "mode" to "default"
    Then a new session is in the mode "default" of "default | bypassApprovals | rejectApprovals"
    And the editor was told of the modes "rejectApprovals | bypassApprovals | default", each before the answer
    And 2 modes were refused, each by its name: "yolo | plan"

  @scenario:mode-privileged
  @MUSE-MODE-07 @MUSE-MODE-01
  Scenario: A privileged user cannot have everything approved
    Given the adapter was started with "--privileged=yes"
    When the user begins a session
    And the editor calls "session/set_mode" with: {"sessionId":"{{session}}","modeId":"bypassApprovals"}
    Then a new session is in the mode "default" of "default | rejectApprovals"
    And 1 modes were refused, each by its name: "bypassApprovals"

  @scenario:mode-approves @soak
  @MUSE-MODE-04
  Scenario: What Muse asks is approved for this once
    Given Muse wants to run "touch marker" and asks first
    And Muse says "Done."
    When the user sets "mode" to "bypassApprovals", and so approves "touch marker" in advance
    And the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" exists
    And Muse was told "Allow once"
    And the audit log holds the decisions "allowed-once"

  @scenario:mode-approves-stages
  @MUSE-MODE-04
  Scenario: Each stage is approved
    Given Muse wants to run "echo one > one.txt && echo two > two.txt" and asks first, once for "echo one" and once for "echo two"
    And Muse says "Both are written."
    When the user sets "mode" to "bypassApprovals", and so approves "echo one" in advance
    And the user sends "write one and two"
    Then the editor was not asked
    And the file "one.txt" exists
    And the file "two.txt" exists
    And Muse was told "Allow once | Allow once"
    And the audit log holds the decisions "allowed-once | allowed-once"

  @scenario:mode-rejects
  @MUSE-MODE-05 @ACP-MODE-09 @ACP-MODE-10
  Scenario: What Muse asks is rejected for this once
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sets "mode" to "rejectApprovals"
    And the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the audit log holds the decisions "rejected"

  @scenario:mode-picks-once
  @MUSE-MODE-04
  Scenario: Of the choices that Muse offers one that approves for longer is not taken
    Given Muse wants to run "touch marker" and asks first
    And Muse says "So it is."
    When the user sets "mode" to "bypassApprovals", and so approves "touch marker" in advance
    And the user sends "please touch the marker"
    Then the editor was not asked
    And Muse was told "Allow once"

  @scenario:mode-rejects-once
  @MUSE-MODE-05
  Scenario: Of the choices that Muse offers one that rejects for longer is not taken
    Given Muse wants to run "touch marker" and asks first
    And Muse says "So it is."
    When the user sets "mode" to "rejectApprovals"
    And the user sends "please touch the marker"
    Then the editor was not asked
    And Muse was told "Reject"

  @scenario:mode-without-once
  @MUSE-MODE-06
  Scenario Outline: Muse offers nothing for this once, and nothing is decided: <case>
    Given Muse wants to run "touch marker" and asks first
    When the user sets "mode" to "<mode>"
    And the user sends "please touch the marker"
    Then the editor was not asked
    And Muse was sent no decision
    And the file "marker" does not exist
    And the prompt failed with the error -32603

    Examples:
      | case    | mode            |
      | approve | bypassApprovals |
      | reject  | rejectApprovals |

  @scenario:mode-under-never
  @MUSE-MODE-08 @REQ-APPR-07
  Scenario: Under the policy never the approving mode approves nothing
    Given the adapter was started with "--approval-policy=never"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    When the user sets "mode" to "bypassApprovals"
    And the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the audit log holds the decisions "rejected"

  @scenario:mode-changed-while-asked @soak
  @MUSE-MODE-09
  Scenario: A change of the mode does not answer the question that is open
    Given Muse wants to run "touch marker" and asks first
    And Muse says "I leave it."
    And the editor will leave the question open
    When the user sends "please touch the marker" and the editor is asked
    And the editor calls "session/set_mode" with: {"sessionId":"{{session}}","modeId":"bypassApprovals"}
    And the editor answers the open question with "Reject"
    Then the change of the mode was refused with the error -32600
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the turn ended with "end_turn"

  @scenario:mode-two-sessions
  @MUSE-MODE-10 @ACP-MODE-06 @ACP-MODE-07
  Scenario: The mode of one session is none of another's
    Given there are 2 sessions
    And when Muse hears "touch one"
    And Muse wants to run "touch one" and asks first
    And Muse says "One."
    And when Muse hears "touch two"
    And Muse wants to run "touch two" and asks first
    And Muse says "Two."
    And the editor will answer "Reject"
    When the user sets "mode" to "bypassApprovals" in session 1, and so approves "touch one" in advance
    And the user sends "touch one" in session 1
    And the user sends "touch two" in session 2
    Then session 2 was asked once, about "touch two", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And session 2 did what the mode "default" says, which it showed: it asked
    And the file "one" exists
    And the file "two" does not exist
