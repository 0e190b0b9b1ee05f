// Package requirements is the registry: every numbered, testable statement that the suite can decide, and the mutants
// that show that it does.
//
// # Ids
//
// An id is always written in full, such as REQ-APPR-17. It has three parts:
//
//   - The book: REQ for the approval seam, MUSE for adapters that drive Muse Code, ACP for the protocol itself.
//   - The area, in capitals: TRN, PERM, TURN and so on.
//   - The number in that area, two digits. The numbers of REQ and ACP are those of their specification; what we
//     derive beyond it has a number behind its last. The numbers of MUSE follow the order in which muse-adapter.md
//     makes its statements; gaps are statements that no scenario decides yet. A number is never given to another
//     statement.
//
// In a feature file an id is a tag: @REQ-APPR-17.
//
// # Levels
//
//   - MUST: the specification demands it, by its keyword or by its schema. MUST NOT is a MUST too. A MUST of the
//     selected scenarios that no check decided makes the run incomplete.
//   - SHOULD: the specification advises it.
//   - MAY: the specification allows it; the statement says what follows when an adapter makes use of that.
//   - derived: no keyword demands it. It follows from several rules together, from JSON-RPC, or from what a word
//     means. An adapter's author may dispute our reading here without disputing the specification.
//
// The level says how a failure is reported. It never changes what a check looks at.
//
// # Who is held to it
//
// A requirement with applies "any" holds for every adapter. One with applies "reference" pins a text, a choice or an
// order that other adapters are free to make differently; for them it is not applicable. A gate names the capability
// that an adapter must advertise, or a client offer, before the requirement applies.
//
// # Files
//
// One YAML file per area or group of areas, embedded. Each begins with the areas that it owns:
//
//	areas: [ACP-TRN, ACP-RPC]
//	requirements:
//	  - id: ACP-TRN-01
//	    level: MUST              # MUST, SHOULD, MAY, derived
//	    applies: any             # any, reference
//	    statement: All that the adapter sends is strict UTF-8 without a byte-order mark.
//	    source: transports › intro
//	    gate: ""                 # optional
//	    tests: [reference/approval.TestChain] # Go tests, as folder and name
//	    excluded: …              # only when nothing proves it: why not
//
// A requirement is proved by scenarios: their tags name it, and a check of theirs decides it. What no wire shows, such
// as what becomes of a decision that cannot be logged, is proved by Go tests, which the entry names. A test proves a
// requirement only if it fails when the rule is broken. A requirement that binds any adapter is never proved by Go
// tests alone, since they look at our own one.
//
// A statement is one sentence in our own words. A source is a section or page of the specification, with the row of
// the seed statement where there is one: "seed A14; approval-seam §3.2".
//
// Each mutant is the reference adapter with one fault. Its list is written by hand before its first run: first the
// requirement that the fault breaks, then every cascade with its reason; what a run trips besides is a mistake there or
// in a check until it has a reason. Its scenarios are the few that show the fault, and every scenario is named by a
// mutant. A mutant with "silent" is told by a deadline and costs time, in these scenarios or in others.
//
// The mutants stand in mutants-<theme>.yaml, one file per theme; a name is given once in all of them:
//
//	mutants:
//	  - name: text-twice
//	    fault: text-twice        # the reference adapter's name for the fault
//	    statement: Sends the final text of a message again after its pieces.
//	    scenarios: [emoji-in-pieces, muse-noise] # names or folders; all fail, and together trip what is listed
//	    silent: The end.         # only where something never comes, so that a deadline must tell it
//	    trips:
//	      - id: ACP-PR-08        # the requirement that the fault breaks
//	      - id: MUSE-TURN-02     # a cascade
//	        why: The same repetition, seen from Muse's side.
//
// Decoding is strict: an unknown key, an unknown value, an id that is given twice or stands in the wrong file is an
// error with file, line and a suggestion. All problems are reported at once.
package requirements
