package otheradapter

import "path/filepath"

// A session that is closed is put on a shelf: who resumes it gets a new one under the same id, which goes on in the same
// session of Muse. Muse runs on, for it serves the others too; the turn and all questions of the closed session are over
// when the close is answered.

// close ends a session. From now on its id is unknown.
func (f *front) close(o object, m message, to sink) *refusal {
	f.mu.Lock()
	t := f.talks[o.text("sessionId")]
	if t != nil {
		delete(f.talks, t.id)
		f.going[t] = true
	}
	f.mu.Unlock()
	if t == nil {
		return refuse(codeBadParams, "no session with this id is open")
	}
	f.post = append(f.post, delivery{t, func() {
		t.parting = func() { to(answerTo(m.id, struct{}{}, nil)) }
		t.cancel()
	}})
	return nil
}

// shelve is the end of a session that was closed.
func (f *front) shelve(t *talk) {
	f.keeper.forget(t.muse, t)
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.going, t)
	f.shelf[t.id] = t
}

// resume takes a session from the shelf. One that is open has nothing to be resumed from, unless it is at work.
func (f *front) resume(o object, m message, to sink) *refusal {
	cwd, problem := folderOf(o)
	if problem != nil {
		return problem
	}
	f.mu.Lock()
	open, old := f.talks[o.text("sessionId")], f.shelf[o.text("sessionId")]
	f.mu.Unlock()
	if open != nil && sameFolder(open.cwd, cwd) {
		f.post = append(f.post, delivery{open, func() {
			if open.turn != nil {
				to(answerTo(m.id, nil, refuse(codeNoRequest, "this session is at work")))
				return
			}
			to(answerTo(m.id, struct{}{}, nil))
		}})
		return nil
	}
	if old == nil || !sameFolder(old.cwd, cwd) {
		return refuse(codeNoResource, "there is no such session in this folder")
	}
	t := newTalk(f, old.cwd)
	t.id, t.muse, t.loaded, t.turns = old.id, old.muse, old.loaded, old.turns
	if problem := f.enliven(t); problem != nil {
		return problem
	}
	to(answerTo(m.id, struct{}{}, nil))
	return nil
}

func sameFolder(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) }

// everyone gives all sessions that have a goroutine.
func (f *front) everyone() (all []*talk) {
	for _, t := range f.talks {
		all = append(all, t)
	}
	for t := range f.going {
		all = append(all, t)
	}
	return all
}

// forget has nothing more told to a session that was closed. Approvals that Muse still asks for are nobody's then.
func (k *keeper) forget(muse string, t *talk) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.routes[muse] == t {
		delete(k.routes, muse)
	}
}
