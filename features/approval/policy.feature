@approval @policy
Feature: The approval policy

  Under the policy "ask" questions reach the editor. Under "never" each of them is rejected before anybody is asked, and
  the model is told so. The user sets the policy of a session; a switch between two turns counts from the next turn on.

  @scenario:policy-never @soak
  @REQ-APPR-07 @REQ-AUD-04 @REQ-ASK-04 @REQ-POL-10 @REQ-POL-12
  Scenario: Nobody is asked under the policy never
    Given the adapter was started with "--approval-policy=never"
    And Muse wants to run "touch marker" and asks first
    And Muse says "I may not."
    When the user sends "please touch the marker"
    Then the editor was not asked
    And the file "marker" does not exist
    And Muse was told "Reject"
    And the model read "the user rejected tool \"bash\""
    And Muse heard in turn 1, part by part, "the sentence that prompts are disabled | the notice of the operator's change from ask to never | please touch the marker"
    And the turn ended with "end_turn"
    And the audit log holds the decisions "rejected"

  @scenario:policy-session-over-default
  @REQ-POL-01 @REQ-POL-03 @REQ-POL-11 @REQ-POL-12 @REQ-APPR-07
  Scenario: What the user sets for a session stands above how the adapter was started
    Given the adapter was started with "--approval-policy=never"
    And when Muse hears "the first"
    And Muse wants to run "touch first" and asks first
    And Muse says "First."
    And when Muse hears "the second"
    And Muse wants to run "touch second" and asks first
    And Muse says "Second."
    And the editor will answer "Allow once"
    When the user sets "approval-policy" to "ask"
    And the user sends "the first"
    And the user sets "approval-policy" to "never"
    And the user sends "the second"
    Then the editor was asked once, about "touch first", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "first" exists
    And the file "second" does not exist
    And Muse heard in turn 1, part by part, "the first"
    And Muse heard in turn 2, part by part, "the sentence that prompts are disabled | the notice of the user's change from ask to never | the second"
    And the audit log holds the decisions "allowed-once | rejected"
    And the audit log holds the policies "ask | never"

  @scenario:mode-switching @soak
  @REQ-POL-05 @REQ-POL-07 @REQ-POL-10 @REQ-POL-11 @REQ-POL-13 @REQ-ESC-03 @REQ-AUD-06
  Scenario: The user switches both options between the turns
    Given when Muse hears "the first"
    And Muse wants to run "touch first" and asks first
    And Muse says "The first is there."
    And when Muse hears "the second"
    And Muse wants to run "touch second" and asks first
    And Muse says "The second was rejected."
    And when Muse hears "the third"
    And Muse wants to run "touch third" with the rights "workspace-write" because "the third file", and asks first
    And Muse says "Nothing wider was asked for."
    And when Muse hears "the fourth"
    And Muse wants to run "touch fourth" and asks first
    And Muse says "The fourth is there."
    And the editor will answer "Allow once"
    And the editor will answer "Allow once"
    When the user sends "the first"
    And the user sets "approval-policy" to "never"
    And the user sends "the second"
    And the user sets "sandbox-mode" to "workspace-write"
    And the user sends "the third"
    And the user sets "approval-policy" to "ask"
    And the user sends "the fourth"
    Then the editor was asked twice
    And the answers to the changes showed "mode=default sandbox-mode=read-only approval-policy=never | mode=default sandbox-mode=workspace-write approval-policy=never | mode=default sandbox-mode=workspace-write approval-policy=ask"
    And the file "first" exists
    And the file "second" does not exist
    And the file "third" does not exist
    And the file "fourth" exists
    And Muse heard in turn 1, part by part, "the first"
    And Muse heard in turn 2, part by part, "the sentence that prompts are disabled | the notice of the user's change from ask to never | the second"
    And Muse heard in turn 3, part by part, "the sentence that prompts are disabled | the third"
    And Muse heard in turn 4, part by part, "the notice of the user's change from never to ask | the fourth"
    And the tool call of "touch third" ended as "failed", with the text "sandbox escalation to \"workspace-write\" is not strictly wider than this call's current \"workspace-write\" mode"
    And the audit log holds the decisions "allowed-once | rejected | allowed-once"
    And the audit log goes "turn/start, tool/call, approval/asked, approval/decided, tool/result, turn/end, turn/start, approval/policy, context/message, tool/call, approval/asked, approval/decided, tool/result, turn/end, turn/start, sandbox/mode, tool/call, tool/result, turn/end, turn/start, approval/policy, context/message, tool/call, approval/asked, approval/decided, tool/result, turn/end"

  @scenario:policy-net-zero
  @REQ-POL-08 @REQ-POL-11
  Scenario: A switch that is taken back between two turns leaves no trace
    Given when Muse hears "the first"
    And Muse says "First."
    And when Muse hears "the second"
    And Muse wants to run "touch second" and asks first
    And Muse says "Second."
    And the editor will answer "Allow once"
    When the user sends "the first"
    And the user sets "approval-policy" to "never"
    And the user sets "approval-policy" to "ask"
    And the user sends "the second"
    Then the editor was asked once, about "touch second", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And Muse heard in turn 2, part by part, "the second"
    And the audit log holds the policies ""

  @scenario:policy-same-value
  @REQ-POL-08 @REQ-POL-11
  Scenario: The value that is set already is set once more
    Given when Muse hears "the first"
    And Muse says "First."
    And when Muse hears "the second"
    And Muse says "Second."
    When the user sets "approval-policy" to "never"
    And the user sends "the first"
    And the user sets "approval-policy" to "never"
    And the user sends "the second"
    Then Muse heard in turn 1, part by part, "the sentence that prompts are disabled | the notice of the user's change from ask to never | the first"
    And Muse heard in turn 2, part by part, "the sentence that prompts are disabled | the second"
    And the audit log holds the policies "never"

  @scenario:policy-two-sessions
  @REQ-POL-09 @REQ-APPR-07
  Scenario: A switch in one session is none in another
    Given there are 2 sessions
    And when Muse hears "touch one"
    And Muse wants to run "touch one" and asks first
    And Muse says "One."
    And when Muse hears "touch two"
    And Muse wants to run "touch two" and asks first
    And Muse says "Two."
    And the editor will answer "Allow once"
    When the user sets "approval-policy" to "never" in session 1
    And the user sends "touch one" in session 1
    And the user sends "touch two" in session 2
    Then session 2 was asked once, about "touch two", with "Allow once | Always allow in this workspace: touch ... | Reject"
    And the file "one" does not exist
    And the file "two" exists
    And the audit log of session 1 holds the policies "never"
    And the audit log of session 2 holds the policies ""
    And the audit log of session 1 holds the decisions "rejected"
    And the audit log of session 2 holds the decisions "allowed-once"

  @scenario:policy-switched-while-asked @soak
  @REQ-APPR-28 @REQ-POL-07 @REQ-APPR-07
  Scenario: A question that is open when the policy becomes never is still the user's to answer
    Given Muse wants to run "touch one" and asks first
    And Muse wants to run "touch two" and asks first
    And Muse says "One of two."
    And the editor will leave the question open
    When the user sends "touch one, then two" and the editor is asked
    And the user sets "approval-policy" to "never"
    And the editor answers the open question with "Allow once"
    Then the turn ended with "end_turn"
    And the file "one" exists
    And the file "two" does not exist
    And the audit log goes "turn/start, tool/call, approval/asked, approval/policy, approval/decided, tool/result, tool/call, approval/asked, approval/decided, tool/result, turn/end"
    And the audit log holds the decisions "allowed-once | rejected"
