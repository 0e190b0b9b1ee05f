package reference

// deniedTexts are the faults of single lines that change the literal texts for the model (approval-seam.md §3, §4.3),
// one each.
func deniedTexts() []lineFault {
	return []lineFault{
		{FaultInfo{"says-rejected-otherwise", "The model is told of a rejected tool in other words."},
			`"method":"approval/decide"`, `the user rejected tool \\"`, `the answer was no for \"`},
		{FaultInfo{"says-cancelled-otherwise", "The model is told of a dismissed question in other words."},
			`"method":"approval/decide"`, `approval for tool (\\"[^"]*\\") was cancelled`, `nobody decided about $1`},
		{FaultInfo{"says-unavailable-otherwise", "The model is told of a question that nobody could answer in other words."},
			`"method":"approval/decide"`, `requires approval, but no approval channel is available`, `was not approved`},
		{FaultInfo{"says-rejected-escalation-otherwise", "The model is told of a rejected escalation in other words."},
			`"method":"approval/decide"`, `the user rejected escalating this command to`, `no wider rights:`},
		{FaultInfo{"says-cancelled-escalation-otherwise", "The model is told of a dismissed escalation in other words."},
			`"method":"approval/decide"`, `approval for escalating to (\\"[^"]*\\") was cancelled`, `nobody decided about $1`},
		{FaultInfo{"says-narrow-escalation-otherwise", "The model is told of an escalation that is not wider in other words."},
			`"method":"approval/decide"`, `is not strictly wider than`, `is no more than`},
		{FaultInfo{"says-unjustified-escalation-otherwise", "The model is told of an escalation without a justification in other words."},
			`"method":"approval/decide"`, `invalid escalation: sandbox_permissions requires a justification`, `say why`},
		{FaultInfo{"says-lone-justification-otherwise", "The model is told of a justification without an escalation in other words."},
			`"method":"approval/decide"`, `invalid escalation: justification is only valid together with sandbox_permissions`, `why what`},
		{FaultInfo{"says-empty-justification-otherwise", "The model is told of an empty justification in other words."},
			`"method":"approval/decide"`, `invalid justification: expected a non-empty sentence`, `say more`},
		{FaultInfo{"says-no-service-otherwise", "The model is told of an escalation without the seam in other words."},
			`"method":"approval/decide"`, `requires approval, but no approval service is composed`, `was not approved`},
		{FaultInfo{"says-unsupported-otherwise", "The model is told of a tool without the seam in other words."},
			`"method":"approval/decide"`, `requires approval \(not yet supported\)`, `was not approved`},
		{FaultInfo{"says-no-agent-otherwise", "The model of another session is told in other words."},
			`"method":"approval/decide"`, `requires approval, but the call has no agent to route it through`, `was not approved`},
		{FaultInfo{"says-unconfined-otherwise", "The model is told in other words that nothing confines."},
			`"method":"approval/decide"`, `sandbox_permissions is not available in this composition`, `there are no rights to widen`},
		{FaultInfo{"says-never-otherwise", "The model is told in other words that prompts are disabled."},
			`"method":"turn/start"`, `Approval prompts are disabled in this session: `, `Nobody is asked. `},
		{FaultInfo{"says-switch-otherwise", "The model is told of a switch of the policy in other words."},
			`"method":"turn/start"`, `The approval policy changed from`, `Approvals went from`},
	}
}
