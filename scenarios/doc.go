// Package scenarios holds the scripted conversations, one folder each, and decodes their input.json.
//
// A folder has the name of its scenario. In it stand
//
//   - input.json: what the client does, step by step, and how it answers permission requests.
//     formAnswers answer forms in the same way. An answer can be put off until something has happened ("after": asked,
//     shown, called, closed or ended), can close the connection in place of an answer ("disconnect"), and can say which question
//     it is meant for ("expect"); what never happens, is left over, is not possible or was meant for another question
//     fails the run, and names the file and the place in the list. An answer can be sent under the question's id in the
//     other type of JSON ("otherId"), and be followed by another one under the same id ("then"). A step can let real time
//     pass ("think"), a few seconds at most;
//   - muse.json: what the host does (decoded by the host's package);
//   - workspace/: plain files that are copied into the working directory first (optional).
//
// The rows of an outline share one folder; a file whose name begins with "<row>." serves that row alone
// (input.not-json.json for the row not-json).
//
// A script is strict: a question for which no answer is left is answered "cancelled" and fails the run, and so does an answer
// that is left over. With "strict": false both are all right. An answer that picks what was not offered fails every run.
//
// Decoding is strict: an unknown member, an unknown operation, a member that does not belong to its operation and a
// missing one are errors that name the file, the line, the step or answer with its index, and what was probably meant.
//
// A folder that is played as it stands, such as one of the user's own, begins with initialize and newSession: see
// DecodeRecorded. What the format's later state added is not played, and named in the error.
package scenarios

import "embed"

// FS holds the embedded folders.
//
//go:embed all:*
var FS embed.FS
