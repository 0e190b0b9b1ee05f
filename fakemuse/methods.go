package fakemuse

// methodTable lists the methods (msp.md §9). Every other one is answered with -32601.
func methodTable() map[string]method {
	command := func(run func(*host, *call) reply) method { return method{command: true, loaded: true, run: run} }
	loaded := func(run func(*host, *call) reply) method { return method{loaded: true, run: run} }
	shell := command((*host).userShell)
	shell.capability = "userShell"
	rename := command((*host).rename)
	rename.durable = true
	return map[string]method{
		"session/start":              {run: (*host).sessionStart},
		"session/resume":             {durable: true, run: (*host).sessionResume},
		"session/read":               {durable: true, run: (*host).sessionRead},
		"session/list":               {run: (*host).sessionList},
		"session/fork":               {durable: true, run: (*host).sessionFork},
		"session/sideChat":           {durable: true, run: (*host).sessionFork},
		"session/rename":             rename,
		"session/setApprovalMode":    command((*host).setApprovalMode),
		"session/setModel":           command((*host).setModel),
		"session/setReasoningEffort": command((*host).setEffort),
		"session/compact":            command((*host).compact),
		"session/userShell":          shell,
		"model/list":                 {run: (*host).modelList},
		"turn/start":                 command((*host).turnStart),
		"turn/steer":                 command((*host).turnSteer),
		"turn/unqueue":               command((*host).turnUnqueue),
		"turn/cancel":                command((*host).turnCancel),
		"turn/interrupt":             command((*host).turnCancel),
		"approval/decide":            command((*host).approvalDecide),
		"approval/listPending":       loaded((*host).approvalListPending),
		"userInput/answer":           command((*host).inputAnswer),
		"userInput/cancel":           command((*host).inputCancel),
		"userInput/clarify":          command((*host).inputClarify),
		"userInput/interrupt":        command((*host).inputInterrupt),
		"goal/set":                   command((*host).goalSet),
		"goal/edit":                  command((*host).goalEdit),
		"goal/pause":                 command((*host).goalPause),
		"goal/resume":                command((*host).goalResume),
		"goal/clear":                 command((*host).goalClear),
		"view/page":                  {run: (*host).viewPage},
		"view/subscribe":             loaded((*host).viewSubscribe),
		"view/unsubscribe":           loaded((*host).viewUnsubscribe),
		"item/readOutput":            {run: (*host).readOutput},
		"skill/list":                 loaded((*host).skillList),
		"skill/setActivation":        command((*host).skillSetActivation),
		"hook/list":                  loaded((*host).hookList),
		"plugin/list":                loaded((*host).pluginList),
		"usage/read":                 {run: (*host).usageRead},
	}
}
