package conform

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// pieces sends lines of requests in pieces that end anywhere. A piece goes out once all requests that ended in those before
// it are answered, so the adapter has read these; only what comes behind the last bar goes out byte by byte, and at once.
func (s *Scenario) pieces(step scenarios.Step) error {
	var all [][]byte
	for i, escaped := range bytes.Split([]byte(*step.Line), []byte("|")) {
		piece, err := wire.Unescape(escaped)
		if err != nil || len(piece) == 0 {
			return s.Harness("%s: piece %d cannot be read: %v", compact(step), i+1, err)
		}
		all = append(all, piece)
	}
	whole := append(slices.Concat(all...), '\n')
	all[len(all)-1] = append(all[len(all)-1], '\n')

	s.log.BeginRound()
	var open []int // Seq of requests that have begun, in their order
	sent, logged := 0, 0
	for i, piece := range all {
		end := sent + len(piece)
		for logged < end { // a frame is in the log before its first byte is written
			length := bytes.IndexByte(whole[logged:], '\n')
			seq := len(s.log.Records())
			s.log.Append(wire.Entry{Lane: wire.Client, Dir: wire.ToAdapter, Data: whole[logged : logged+length]})
			s.asScripted[seq] = true
			open = append(open, seq)
			logged += length + 1
		}
		if i == len(all)-1 {
			for j := range piece {
				s.client.queue <- piece[j : j+1]
			}
			break
		}
		s.client.queue <- piece
		sent = end
		ended := bytes.Count(whole[:sent], []byte("\n"))
		if err := s.awaitAnswers(open[:ended]); err != nil {
			s.giveUp(err)
			return nil
		}
	}
	s.settle("what was sent in pieces was not answered", s.engine.Deadlines.Reply, "--reply-timeout", func(v wire.View) bool {
		return answered(v, open)
	})
	return nil
}

// awaitAnswers waits for the answers to requests while another one is on its way, so that the connection is not quiet.
func (s *Scenario) awaitAnswers(requests []int) error {
	d := s.engine.Deadlines.Reply
	ctx, cancel := context.WithTimeoutCause(s.ctx, d, fmt.Errorf("what was sent in pieces was not answered within %s (--reply-timeout)", d))
	defer cancel()
	gone := false
	err := s.log.Wait(ctx, func(v wire.View) bool {
		gone = s.client.trouble() != nil
		return gone || answered(v, requests)
	})
	if err == nil && gone {
		err = s.gone("what was sent in pieces was not answered")
	}
	return err
}

func answered(v wire.View, requests []int) bool {
	return !slices.ContainsFunc(requests, func(seq int) bool {
		_, ok := v.AnswerTo(seq)
		return !ok
	})
}

// longestPause is how long a client reads nothing at the most, for adapters that wait for it before they read on themselves.
// It is what a thousandfold of what is said takes, so that others have all of it waiting by then.
const longestPause = 5 * time.Second

// unread sends prompts to an adapter whose client reads nothing: what the adapter writes fills the pipe and then waits in
// the adapter. The client reads on once the host has nothing more to say. Some adapters take nothing from their host either
// then, so it does not wait for that without end.
func (s *Scenario) unread(turns int, send func()) {
	s.client.pause()
	before := len(s.host.Facts(s.log.Records()).Turns)
	send()
	ctx, cancel := context.WithTimeout(s.ctx, longestPause)
	defer cancel()
	for seen := -1; ; {
		err := s.log.Wait(ctx, func(v wire.View) bool {
			return v.Idle() && len(v.Records()) != seen || s.client.trouble() != nil
		})
		records := s.log.Records()
		if seen = len(records); err != nil || s.client.trouble() != nil || len(s.host.Facts(records).Turns)-before >= turns {
			break
		}
	}
	s.client.resume()
}
