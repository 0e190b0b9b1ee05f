package wire

import "encoding/json"

// OpenRequest is a request that has no answer in the log yet.
type OpenRequest struct {
	Seq    int
	Lane   Lane
	Dir    Dir // the direction of the request
	Method string
	// LeftOpen is true when nobody waits for the answer any more: the harness leaves it out on purpose (Log.LeaveOpen),
	// or the host on whose lane the request is has exited.
	LeftOpen bool
}

// requestKey names a request on its lane: ids of both directions are apart, and 1 and "1" differ.
type requestKey struct {
	lane Lane
	dir  Dir
	id   string
}

// tracker joins answers to requests and finds out which session an entry belongs to, entry by entry.
type tracker struct {
	open  map[requestKey][]int // unanswered requests, oldest first: an adapter may use an id twice
	last  map[requestKey]int   // the newest request with an id, answered or not
	asked map[int]*OpenRequest
	about map[int]string // session that a request named
	by    map[int]int    // request -> its answer
}

func newTracker() *tracker {
	return &tracker{open: map[requestKey][]int{}, last: map[requestKey]int{}, asked: map[int]*OpenRequest{}, about: map[int]string{}, by: map[int]int{}}
}

// add fills in the derived members of the record.
func (t *tracker) add(r *Record) {
	r.Answers = -1
	if r.Dir == Exit {
		for _, q := range t.asked {
			q.LeftOpen = q.LeftOpen || q.Lane == r.Lane
		}
		return
	}
	switch r.Frame.Kind {
	case Request:
		r.Session = sessionOf(r.Frame.Params)
		key := requestKey{r.Lane, r.Dir, string(r.Frame.ID)}
		t.open[key] = append(t.open[key], r.Seq)
		t.last[key] = r.Seq
		t.asked[r.Seq] = &OpenRequest{Seq: r.Seq, Lane: r.Lane, Dir: r.Dir, Method: r.Frame.Method}
		t.about[r.Seq] = r.Session
	case Notification:
		r.Session = sessionOf(r.Frame.Params)
	case Response:
		key := requestKey{r.Lane, opposite(r.Dir), string(r.Frame.ID)}
		waiting := t.open[key]
		if len(waiting) == 0 {
			// A second answer is none, but it belongs to where the first one does.
			if seq, used := t.last[key]; used {
				r.Session = t.about[seq]
			}
			return
		}
		r.Answers = waiting[0]
		if len(waiting) == 1 {
			delete(t.open, key)
		} else {
			t.open[key] = waiting[1:]
		}
		r.Session = t.about[r.Answers]
		if r.Session == "" {
			r.Session = sessionOf(r.Frame.Result)
		}
		delete(t.asked, r.Answers)
		t.by[r.Answers] = r.Seq
	}
}

func opposite(d Dir) Dir {
	if d == ToAdapter {
		return FromAdapter
	}
	return ToAdapter
}

// sessionOf gives the session that params or a result name, in the places where ACP and MSP put it.
func sessionOf(object json.RawMessage) string {
	if id := LookupString(object, "sessionId"); id != "" {
		return id
	}
	return LookupString(object, "session", "sessionId")
}

// LeaveOpen declares that the request at seq stays unanswered on purpose, so that nobody waits for its answer.
func (l *Log) LeaveOpen(seq int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.track.asked[seq]; q != nil {
		q.LeftOpen = true
	}
	l.wake()
}

// Open lists the requests without an answer, in the order of arrival.
func (v View) Open() []OpenRequest {
	var open []OpenRequest
	for _, r := range v.log.records {
		if q := v.log.track.asked[r.Seq]; q != nil {
			open = append(open, *q)
		}
	}
	return open
}

// AnswerTo gives the answer to the request at seq.
func (v View) AnswerTo(seq int) (Record, bool) {
	by, ok := v.log.track.by[seq]
	if !ok {
		return Record{}, false
	}
	return v.log.records[by], true
}

// EachOpen calls f for every request without an answer, in no particular order, until f returns false.
func (v View) EachOpen(f func(OpenRequest) bool) {
	for _, q := range v.log.track.asked {
		if !f(*q) {
			return
		}
	}
}

// BeginRound says that the harness is about to act: everything appended from now on belongs to the next round.
func (l *Log) BeginRound() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.rounds); n > 0 && l.rounds[n-1] == len(l.records) {
		return
	}
	l.rounds = append(l.rounds, len(l.records))
}

// Rounds gives the place in the log at which each round begins.
func (l *Log) Rounds() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]int(nil), l.rounds...)
}
