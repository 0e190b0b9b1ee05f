package reference

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"acp-conform/reference/approval"
	"acp-conform/reference/audit"
	"acp-conform/reference/rpc"
)

// What the model reads, byte for byte as approval-seam.md §3.1, §3.2 and §4.3 have it.
func TestLiterals(t *testing.T) {
	t.Parallel()
	tool := matter{tool: "echo"}
	asker := matter{tool: "echo", reason: "be careful"}
	wide := matter{tool: "bash", reason: "escalate sandbox to danger-full-access: to mend it", mode: "danger-full-access"}
	args := func(permissions, justification string) string {
		return fmt.Sprintf(`{"command":"x"%s%s}`, permissions, justification)
	}
	const why, blank = `,"justification":"to mend it"`, `,"justification":" "`
	mode := func(m string) string { return fmt.Sprintf(`,"sandbox_permissions":%q`, m) }
	wrong := func(rawArgs, current string) string {
		_, text, _ := escalationOf(rawArgs, current)
		return text
	}
	reason := func(rawArgs, current string) string {
		esc, text, _ := escalationOf(rawArgs, current)
		return esc.reason + text
	}
	for _, c := range []struct{ id, got, want string }{
		{"REQ-ASK-01", asker.withoutService(), `be careful`},
		{"REQ-ASK-02", tool.withoutService(), `tool "echo" requires approval (not yet supported)`},
		{"REQ-ASK-03", tool.withoutAgent(), `tool "echo" requires approval, but the call has no agent to route it through`},
		{"REQ-ASK-03", asker.withoutAgent(), `tool "echo" requires approval, but the call has no agent to route it through`},
		{"REQ-ASK-04", tool.denied(approval.Rejected), `the user rejected tool "echo"`},
		{"REQ-ASK-05", tool.denied(approval.Cancelled), `approval for tool "echo" was cancelled`},
		{"REQ-ASK-06", tool.denied(approval.Unavailable), `tool "echo" requires approval, but no approval channel is available`},
		{"REQ-ASK-10", deniedText(tool.denied(approval.Rejected)), `Error: the user rejected tool "echo"`},
		{"REQ-ASK-11", asker.denied(approval.Rejected), `the user rejected tool "echo"`},
		{"REQ-ASK-11", asker.denied(approval.Cancelled), `approval for tool "echo" was cancelled`},
		{"REQ-ASK-11", asker.denied(approval.Unavailable), `tool "echo" requires approval, but no approval channel is available`},

		{"REQ-ESC-02", wrong(args(mode("workspace-write"), ""), "read-only"), `invalid escalation: sandbox_permissions requires a justification`},
		{"REQ-ESC-02", wrong(args("", why), "read-only"), `invalid escalation: justification is only valid together with sandbox_permissions`},
		{"REQ-ESC-02", wrong(args(mode("workspace-write"), blank), "read-only"), `invalid justification: expected a non-empty sentence`},
		{"REQ-ESC-03", wrong(args(mode("read-only"), why), "read-only"), `sandbox escalation to "read-only" is not strictly wider than this call's current "read-only" mode`},
		{"REQ-ESC-03", wrong(args(mode("read-only"), why), "danger-full-access"), `sandbox escalation to "read-only" is not strictly wider than this call's current "danger-full-access" mode`},
		{"REQ-ESC-03", wrong(args(mode("workspace-write"), why), "workspace-write"), `sandbox escalation to "workspace-write" is not strictly wider than this call's current "workspace-write" mode`},
		{"REQ-ESC-03", wrong(args(mode("workspace-write"), why), "danger-full-access"), `sandbox escalation to "workspace-write" is not strictly wider than this call's current "danger-full-access" mode`},
		{"REQ-ESC-03", wrong(args(mode("danger-full-access"), why), "danger-full-access"), `sandbox escalation to "danger-full-access" is not strictly wider than this call's current "danger-full-access" mode`},
		{"REQ-ESC-04", reason(args(mode("danger-full-access"), why), "workspace-write"), `escalate sandbox to danger-full-access: to mend it`},
		{"REQ-ESC-05", wide.denied(approval.Rejected), `the user rejected escalating this command to "danger-full-access"`},
		{"REQ-ESC-06", wide.denied(approval.Cancelled), `approval for escalating to "danger-full-access" was cancelled`},
		{"REQ-ESC-07", wide.denied(approval.Unavailable), `sandbox escalation to "danger-full-access" requires approval, but no approval channel is available`},
		{"REQ-ESC-08", wide.withoutService(), `sandbox escalation to "danger-full-access" requires approval, but no approval service is composed`},
		{"REQ-ESC-08", wide.withoutAgent(), `sandbox escalation to "danger-full-access" requires approval, but the call has no agent to route it through`},
		{"REQ-ESC-08", wrong(args(mode("workspace-write"), why), ""), `sandbox_permissions is not available in this composition (no sandboxing executor to escalate)`},
		{"REQ-ESC-11", reason(args("", ""), "read-only"), ``},

		{"REQ-POL-10", neverSentence, "Approval prompts are disabled in this session: actions that require approval are rejected automatically \u2014 do not request sandbox escalation (do not set `sandbox_permissions`)."},
		{"REQ-POL-12", notice(approval.Ask, approval.Never, byUser), `The approval policy changed from "ask" to "never" (changed by the user).`},
		{"REQ-POL-12", notice(approval.Never, approval.Ask, byOperator), `The approval policy changed from "never" to "ask" (changed by the operator/config).`},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.id, diff)
		}
	}
}

// The config options and the errors of approval-seam.md §4.2, byte for byte (REQ-POL-04 to REQ-POL-06).
func TestConfigLiterals(t *testing.T) {
	t.Parallel()
	const (
		sandbox = `{"id":"sandbox-mode","name":"Sandbox","description":"The file sandbox mode bash commands in this session run under.",` +
			`"type":"select","currentValue":"read-only","options":[{"value":"read-only","name":"read-only"},` +
			`{"value":"workspace-write","name":"workspace-write"},{"value":"danger-full-access","name":"danger-full-access"}]}`
		policy = `{"id":"approval-policy","name":"Approvals","description":"ask: permission prompts reach you; never: they are rejected automatically.",` +
			`"type":"select","currentValue":"ask","options":[{"value":"ask","name":"ask"},{"value":"never","name":"never"}]}`
	)
	all := idleSession(t, Options{SandboxMode: "read-only"})
	var got []string
	for _, o := range all.configOptions() {
		if o.ID == modeOption {
			continue // muse-adapter.md §2.2
		}
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	if diff := cmp.Diff([]string{sandbox, policy}, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}

	none := idleSession(t, Options{NoApprovals: true})
	for _, c := range []struct {
		in                *session
		id, option, value string // the value as JSON
		want              string
	}{
		{all, "s", "colour", `"red"`, `Invalid params: unknown config option "colour"`},
		{all, "s", "sandbox-mode", `"wide"`, `Invalid params: unknown sandbox-mode value "wide"`},
		{none, "s", "sandbox-mode", `"read-only"`, `Invalid params: unknown sandbox-mode value "read-only"`},
		{all, "s", "approval-policy", `"sometimes"`, `Invalid params: unknown approval-policy value "sometimes"`},
		{none, "s", "approval-policy", `"never"`, `Invalid params: unknown approval-policy value "never"`},
		{all, "s", "approval-policy", `true`, `Invalid params: config option approval-policy is a select; boolean values are not accepted`},
		{all, "s", "sandbox-mode", `false`, `Invalid params: config option sandbox-mode is a select; boolean values are not accepted`},
		{all, "gone", "approval-policy", `"never"`, `Invalid params: unknown session: gone`},
	} {
		_, bad := c.in.a.setConfigOption(fmt.Appendf(nil, `{"sessionId":%q,"configId":%q,"value":%s}`, c.id, c.option, c.value))
		if bad == nil || bad.Code != rpc.InvalidParams || bad.Message != c.want {
			t.Errorf("REQ-POL-06: %s := %s: got %+v, want %s", c.option, c.value, bad, c.want)
		}
	}
}

// idleSession is the session "s" of an adapter that is not run.
func idleSession(t *testing.T, o Options) *session {
	t.Helper()
	o.DataDir = t.TempDir()
	a, err := newAdapter(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(a.auditFile("s"), a.logs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	s := newSession(a, "s", "/", log)
	a.sessions[s.id] = s
	return s
}
