package requirements

import "strings"

// nearest gives the word that somebody probably meant; empty when none is near. Of equally near words the first wins.
func nearest(meant string, words []string) string {
	// A third of the letters may be wrong: "statment" is near "statement", "level" is not near "gate".
	best, limit := "", max(2, len(meant)/3)
	for _, w := range words {
		if d := distance(strings.ToLower(meant), strings.ToLower(w)); d <= limit && d < len(w) {
			best, limit = w, d-1
		}
	}
	return best
}

// distance counts the letters to insert, remove or replace to come from a to b (Levenshtein). Two neighbours in the
// wrong order count as one, because that is the commonest slip of the hand.
func distance(a, b string) int {
	before, above := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}

// didYouMean is the end of a message that suggests a word; empty when there is none.
func didYouMean(word string) string {
	if word == "" {
		return ""
	}
	return "; did you mean " + word + "?"
}
