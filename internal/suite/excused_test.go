package suite

import "acp-conform/reference"

// excusedForNow are the faults of approvals that came with the adapter and wait for their scenarios. A line goes when
// its mutant comes.
func excusedForNow() map[reference.Fault]string {
	const observing = "in no scenario the editor observes approvals"
	const modes = "in no scenario the user changes the mode"
	return map[reference.Fault]string{
		reference.LooseOptIn:          observing,
		reference.UnaskedObservation:  observing,
		reference.UnaskedFinal:        observing,
		reference.FinalMissing:        observing,
		reference.FinalTwice:          observing,
		reference.FinalAfterResponse:  observing,
		reference.FinalAfterCancel:    observing,
		reference.FinalOnlyAsked:      observing,
		reference.FinalApproved:       observing,
		reference.InventsFacts:        observing,
		reference.RenamesKinds:        observing,
		reference.FirstStagesStay:     observing,
		reference.ObservesOneShot:     observing,
		reference.MetaSettles:         observing,
		reference.PromptMetaSettles:   observing,
		reference.ShowsBypass:         modes,
		reference.AnnouncesSameMode:   modes,
		reference.ChangesWhileAsking:  modes,
		reference.ModeAnswersOpen:     modes,
		reference.ModeWithoutEffect:   modes,
		reference.NoModeUpdate:        modes,
		reference.NoModeMirror:        modes,
		reference.BypassPicksLasting:  modes,
		reference.AutomaticAsks:       modes,
		reference.AutomaticUnderNever: modes,
		reference.AsksWithoutOnce:     modes,
		reference.ModeOfAll:           modes,
		reference.BypassUnlogged:      modes,
		reference.GrantsFirstStage:    modes,
		reference.UnknownModeOK:       modes,
		reference.RejectPicksLasting:  modes,
		reference.RejectApproves:      modes,
	}
}
