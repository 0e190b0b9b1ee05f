package fakemuse

// ways finds out which of the named host variants a recording shows.
func (s *scripter) ways() {
	s.startWays()
	s.askingWays()
	s.feedbackWays()
	s.recordWays()
	s.orderWays()
}

// startWays looks at what session/start and session/resume answer.
func (s *scripter) startWays() {
	loaded, ended, events := map[string]bool{}, map[string]bool{}, map[string]int{} // by session
	for i, l := range s.lines {
		if id := l.frame.text("params", "sessionId"); !l.client && id != "" {
			events[id]++
			ended[id] = ended[id] || l.frame.method() == "turn/completed"
		}
		if l.client || !l.frame.has("result") {
			continue
		}
		r := l.frame.object("result")
		id := r.text("session", "sessionId")
		if (s.method[i] == "session/resume" || s.method[i] == "session/read") && ended[id] && !r.has("lastTurn") {
			s.variants[noLastTurn] = true
		}
		fresh := s.method[i] == "session/resume" && loaded[id] && events[id] > 1
		if fresh && cursorOf(id, r.text("viewCursor")) == 1 && r.has("history", "items") && len(r.list("history", "items")) == 0 {
			s.variants[resumeLoadedFresh] = true
		}
		loaded[id] = true
		switch s.method[i] {
		case "session/start":
			mode := r.text("session", "approvalMode", "mode")
			cursor := r.text("viewCursor")
			s.variants[cursorNumbered] = s.variants[cursorNumbered] || mode == defaultMode && cursor != ""
			s.variants[cursorEmpty] = s.variants[cursorEmpty] || mode != defaultMode && cursor == ""
		case "session/resume":
			if s.lines[s.request[i]].frame.text("params", "cursor") != "" && !r.has("history", "noneReason") {
				s.variants[noSuffixReason] = true
			}
			for _, p := range r.list("pendingRequests") {
				if !tree(p.(map[string]any)).has("kind") {
					s.variants[pendingFull] = true
				}
			}
		}
	}
}

// askingWays looks at how approvals and questions are asked and resolved.
func (s *scripter) askingWays() {
	first := map[string]string{} // by what is asked: which way came first
	both := map[string]bool{}
	updates := map[string]int{}
	for _, l := range s.lines {
		if l.client {
			continue
		}
		f := l.frame
		id := f.text("params", "approvalId") + f.text("params", "userInputId")
		switch f.method() {
		case "approval/requested", "approval/request", "userInput/requested", "userInput/request":
			if known := first[id]; known == "" {
				first[id] = f.method()
			} else if known != f.method() {
				both[id] = true
			}
			if f.method() == "approval/requested" && f.text("params", "taskId") != f.text("params", "itemId") {
				s.variants[ownApprovalIDs] = true
			}
			if f.method() == "approval/request" && f.text("params", "taskId") != f.text("params", "itemId") {
				s.variants[ownApprovalIDs] = true
			}
		case "approval/updated":
			updates[id] = f.number("params", "change", "requirementId", "sourceIndex") + 1
		case "approval/resolved":
			if n := len(f.list("params", "stageEvidence")); n > 0 && updates[id] == n {
				s.variants[lastStageRepeated] = true
			}
			s.variants[noDecidedAt] = s.variants[noDecidedAt] || !f.has("params", "decidedAt")
		case "userInput/settled":
			s.variants[noDecidedAt] = s.variants[noDecidedAt] || !f.has("params", "decidedAt")
		}
	}
	for id, way := range first {
		switch {
		case way == "approval/requested" && !both[id]:
			s.variants[approvalNotification] = true
		case way == "approval/request" && !both[id] && !s.pendingAtFirst(id):
			s.variants[approvalRequest] = true
		case way == "approval/request" && both[id]:
			s.variants[requestFirst] = true
		case way == "userInput/requested" && both[id]:
			s.variants[inputNotifiedFirst] = true
		}
	}
}

// feedbackWays looks at whether the text of a denial shows in the output of the tool.
func (s *scripter) feedbackWays() {
	said := map[string]string{} // by approval
	items := map[string]string{}
	for _, l := range s.lines {
		f := l.frame
		switch {
		case l.client && f.method() == "approval/decide" && f.has("params", "feedback"):
			said[f.text("params", "approvalId")] = f.text("params", "feedback")
		case !l.client && f.method() == "approval/resolved":
			items[f.text("params", "itemId")] = said[f.text("params", "approvalId")]
		case !l.client && f.method() == "item/completed" && f.text("params", "item", "status") == "rejected":
			text := items[f.text("params", "item", "itemId")]
			if text != "" && f.text("params", "item", "visibleOutput") != text {
				s.variants[feedbackHidden] = true
			}
		}
	}
}

// pendingAtFirst says whether something was asked before the recording began.
func (s *scripter) pendingAtFirst(id string) bool {
	for _, l := range s.lines {
		for _, p := range l.frame.list("result", "pendingRequests") {
			if o := tree(p.(map[string]any)); o.text("approvalId") == id || o.text("userInputId") == id {
				return true
			}
		}
	}
	return false
}

// recordWays looks at the records that events rest on, and at what finished items say.
func (s *scripter) recordWays() {
	records := map[string]bool{}
	usage := false
	for _, l := range s.lines {
		if l.client {
			continue
		}
		f := l.frame
		switch {
		case f.text("params", "sourceRange", "stream", "kind") == "run", f.text("params", "sourceRange", "stream", "kind") == "approval.review":
			s.variants[streamsByKind] = true
		}
		records[f.text("params", "sourceRange", "first", "id")] = true
		item := f.object("params", "item")
		if f.method() == "item/completed" && item.text("kind") == "userMessage" && item.text("itemId") == f.text("params", "sourceRange", "first", "id") {
			s.variants[messageIsRecord] = true
		}
		if f.method() == "item/completed" && item.text("kind") == "toolCall" {
			if cut, said := item["truncated"].(bool); said && !cut {
				s.variants[truncatedShown] = true
			}
		}
		usage = usage || f.method() == "session/tokenUsage"
		if f.method() == "session/statusChanged" {
			s.variants[statusEvents] = true
		}
		if f.method() == "session/closed" {
			s.variants[announceClose] = true
		}
	}
	if !usage {
		s.variants[usageSilent] = true
	}
}

// orderWays looks at whether answers come before what follows from them.
func (s *scripter) orderWays() {
	for q, a := range s.answer {
		id := s.lines[q].frame.text("params", "commandId")
		if id == "" || !s.lines[a].frame.has("result") {
			continue
		}
		for _, l := range s.lines[q:a] {
			f := l.frame
			if l.client {
				continue
			}
			switch f.method() {
			case "turn/started", "approval/resolved", "userInput/settled":
				if f.text("params", "commandId") == id || f.text("params", "decidedByCommandId") == id {
					s.variants[eventsFirst] = true
				}
			case "turn/unqueued":
				s.variants[liveOrder] = true
			case "session/branchChanged":
				s.variants[liveOrder] = s.variants[liveOrder] || s.method[q] == "turn/start"
			case "item/started":
				s.variants[liveOrder] = s.variants[liveOrder] || f.text("params", "item", "commandId") == id
			}
		}
	}
	if s.variants[eventsFirst] {
		delete(s.variants, liveOrder)
	}
	// A gap that is told before the event behind it.
	for i, l := range s.lines {
		if !l.client && l.frame.method() == "view/gap" {
			next := l.frame.text("params", "next")
			for _, later := range s.lines[i+1:] {
				if !later.client && later.frame.text("params", "viewCursor") == next {
					s.variants[gapFirst] = true
				}
			}
		}
	}
}
