package wire

// tracker is filled in by order.go's author.
type tracker struct{}

func newTracker() *tracker    { return &tracker{} }
func (t *tracker) add(Record) {}

// Round is a beginning of a round.
type Round struct{}
