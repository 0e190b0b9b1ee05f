package suite

import "acp-conform/reference"

// excusedForNow are the faults of approvals that came with the adapter and wait for their scenarios. A line goes when
// its mutant comes.
func excusedForNow() map[reference.Fault]string {
	const observing = "in no scenario the editor observes approvals"
	return map[reference.Fault]string{
		reference.LooseOptIn:         observing,
		reference.UnaskedObservation: observing,
		reference.UnaskedFinal:       observing,
		reference.FinalMissing:       observing,
		reference.FinalTwice:         observing,
		reference.FinalAfterResponse: observing,
		reference.FinalAfterCancel:   observing,
		reference.FinalOnlyAsked:     observing,
		reference.FinalApproved:      observing,
		reference.InventsFacts:       observing,
		reference.RenamesKinds:       observing,
		reference.FirstStagesStay:    observing,
		reference.ObservesOneShot:    observing,
		reference.MetaSettles:        observing,
		reference.PromptMetaSettles:  observing,
	}
}
