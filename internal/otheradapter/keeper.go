package otheradapter

import (
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// openingBound is how long a host may take to answer one call of an opening. A real one reads its settings and writes
// one record; half a minute is what the SDK's users allow it.
const openingBound = 30 * time.Second

// codeNoSession is Muse's answer to a resume of a session that it does not have.
const codeNoSession = -32020

// keeper has the one host, and opens sessions on it one after the other, in the order of the prompts that need them.
type keeper struct {
	env    []string
	stderr io.Writer
	jobs   *mailbox[opening]
	quit   chan struct{} // closed when nothing more shall begin
	left   chan struct{} // closed when the keeper has gone

	dialogs atomic.Bool // the client shows forms

	mu      sync.Mutex
	routes  map[string]*talk // by Muse's session id
	refused map[string]bool  // approvals of nobody that were denied
}

// opening is the wish to have a session loaded on a running host.
type opening struct {
	talk *talk
	muse string // Muse's id of the session; empty when it was never made
	on   *host  // where it was loaded last
	cwd  string
	done func(h *host, muse string, problem *refusal)
}

func newKeeper(env []string, stderr io.Writer) *keeper {
	k := &keeper{env: env, stderr: stderr, jobs: newMailbox[opening](), quit: make(chan struct{}), left: make(chan struct{}),
		routes: map[string]*talk{}, refused: map[string]bool{}}
	go k.work()
	return k
}

// close ends the host and the keeper. Openings that wait come to nothing.
func (k *keeper) close() {
	close(k.quit)
	k.jobs.close()
	<-k.left
}

func (k *keeper) work() {
	defer close(k.left)
	var h *host
	for {
		jobs, more := k.jobs.take()
		if !more {
			break
		}
		for _, job := range jobs {
			if h == nil || h.isDead() {
				if h != nil {
					<-h.gone
				}
				var problem *refusal
				if h, problem = k.newHost(job.cwd); problem != nil {
					job.done(nil, job.muse, problem)
					continue
				}
			}
			muse, problem := k.load(h, job)
			job.done(h, muse, problem)
			if problem != nil && problem.lost && !k.quits() {
				h.kill() // it does not answer
				<-h.gone
			}
		}
	}
	if h != nil {
		h.end()
	}
}

func (k *keeper) quits() bool {
	select {
	case <-k.quit:
		return true
	default:
		return false
	}
}

// newHost starts a host and shakes hands with it.
func (k *keeper) newHost(cwd string) (*host, *refusal) {
	if k.quits() {
		return nil, hostLost()
	}
	h, err := startHost(k.env, cwd, k.stderr, k.route)
	if err != nil {
		return nil, refuse(codeInternal, "cannot run muse: "+err.Error())
	}
	_, problem := k.ask(h, "initialize", map[string]any{
		"clientInfo":   map[string]string{"name": "second_opinion", "version": "2"},
		"capabilities": map[string]bool{"userInputDialogs": k.dialogs.Load()},
	})
	if problem != nil {
		h.end()
		return nil, problem
	}
	h.send(outgoing{Method: "initialized", Version: "2.0"})
	return h, nil
}

// load makes a session, or loads one that another host made.
func (k *keeper) load(h *host, job opening) (string, *refusal) {
	if job.muse != "" {
		k.direct(job.muse, job.talk)
	}
	if job.muse != "" && job.on == h {
		return job.muse, nil
	}
	if job.muse != "" {
		_, problem := k.ask(h, "session/resume", map[string]any{"commandId": commandID(), "excludeItems": true, "sessionId": job.muse})
		if problem == nil {
			_, problem = k.ask(h, "session/setApprovalMode", map[string]any{"commandId": commandID(), "mode": "onRequest", "sessionId": job.muse})
		}
		if problem == nil || problem.Code != codeNoSession {
			return job.muse, problem
		}
	}
	made, problem := k.ask(h, "session/start", map[string]any{"approvalMode": "onRequest", "commandId": commandID(), "workspaceRoot": job.cwd})
	if problem != nil {
		return "", problem
	}
	muse := made.object("session").text("sessionId")
	if muse == "" {
		return "", refuse(codeInternal, "muse made a session without an id")
	}
	k.direct(muse, job.talk)
	return muse, nil
}

// direct has what Muse tells of a session go to its talk.
func (k *keeper) direct(muse string, t *talk) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.routes[muse] = t
}

// ask is a call that is waited for.
func (k *keeper) ask(h *host, method string, params any) (object, *refusal) {
	type outcome struct {
		result  object
		problem *refusal
	}
	answer := make(chan outcome, 1)
	h.call(method, params, func(result object, problem *refusal) { answer <- outcome{result, problem} })
	timer := time.NewTimer(openingBound)
	defer timer.Stop()
	select {
	case o := <-answer:
		return o.result, o.problem
	case <-k.quit:
	case <-timer.C:
	}
	return nil, hostLost()
}

// route hands what a host says to the session that it is about.
func (k *keeper) route(h *host, m message) {
	params := asObject(m.params)
	k.mu.Lock()
	t := k.routes[params.text("sessionId")]
	k.mu.Unlock()
	if m.method == "approval/requested" || m.method == "approval/request" {
		if t == nil || unasked(params) {
			k.turnDown(h, params)
			return
		}
	}
	if t != nil {
		t.inbox.put(func() { t.heard(h, m.method, params) })
	}
}
