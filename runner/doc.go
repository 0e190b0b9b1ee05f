// Package runner runs the suite: it reads the feature files, selects scenarios, has godog play their sentences
// against an adapter, and sums the verdicts up.
//
//   - Which scenarios exist, and their names, is decided by Plan, before anything runs: a scenario without a folder
//     tag, an outline without rows, a name used twice, an unknown requirement and an undefined step are errors.
//   - Tag expressions are Cucumber's ("@approval and not @slow"); they are evaluated on the plan, never by godog.
//   - A selector that matches nothing is an error.
//   - Every selected scenario delivers exactly one verdict, or the run is wrong.
package runner
