package fakemuse

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// schemaFingerprint is that of the schema bundle which this host follows (schema version 1, SDK 1.4.4). The value that
// a 1.1.1 host reports is not known; clients only warn about a difference (msp.md §0, §3).
const schemaFingerprint = "sha256:7c94f153c41659cb3f1bd3c3e04438be254644cb2a97d65d48edc7449b74858a"

// grantable are the capabilities that a client may ask for.
func grantable() []string {
	return []string{"userShell", "sessionMcp", "sessionListStream", "feedback"}
}

// protected are the notifications that no client can opt out of.
func protected() []string { return []string{"approval/resolved", "userInput/settled", "view/gap"} }

type initializeResult struct {
	ServerInfo          serverInfo `json:"serverInfo"`
	UserAgent           string     `json:"userAgent"`
	MuseHome            string     `json:"museHome"`
	PlatformFamily      string     `json:"platformFamily"`
	PlatformOS          string     `json:"platformOs"`
	Schema              schemaInfo `json:"schema"`
	GrantedCapabilities []string   `json:"grantedCapabilities"`
	ExperimentalAPI     bool       `json:"experimentalApi"`
	SessionDurability   string     `json:"sessionDurability"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type schemaInfo struct {
	Version     int    `json:"version"`
	Fingerprint string `json:"fingerprint"`
}

var clientNames = regexp.MustCompile(`^[a-z0-9_]+$`)

// initialize opens the connection (msp.md §3). The platform is always reported as Linux, so that a recording does not
// depend on where it was made.
func (h *host) initialize(p *params) reply {
	if h.initialized {
		return fails(failure(-32600, "alreadyInitialized", "the connection is already initialized"))
	}
	client := p.object("clientInfo")
	name := client.text("name")
	client.text("version")
	client.optional("title")
	if client.problem == "" && !clientNames.MatchString(name) {
		client.fail("`clientInfo.name` must match %s", clientNames)
	}
	p.adopt(client)
	var requested, muted []string
	experimental, dialogs := false, true
	if capabilities := p.optionalObject("capabilities"); capabilities != nil {
		experimental = capabilities.flag("experimentalApi", false)
		dialogs = capabilities.flag("userInputDialogs", true)
		requested = capabilities.texts("requestedCapabilities")
		muted = capabilities.texts("optOutNotificationMethods")
		p.adopt(capabilities)
	}
	if err := p.err(); err != nil {
		return fails(err)
	}
	h.initialized, h.clientName, h.experimental, h.dialogs = true, name, experimental, dialogs
	facts := h.server.options.Script.Host
	grants := grantable()
	if facts.Grants != nil {
		grants = *facts.Grants
	}
	h.granted = []string{}
	for _, capability := range requested {
		if slices.Contains(grants, capability) && !slices.Contains(h.granted, capability) {
			h.granted = append(h.granted, capability)
		}
	}
	for _, notification := range muted {
		if !slices.Contains(protected(), notification) {
			h.muted[notification] = true
		}
	}
	version := h.server.options.Version
	durability := "durable"
	if h.flags.Ephemeral {
		durability = "ephemeral"
	}
	return reply{result: initializeResult{
		ServerInfo: serverInfo{Name: firstOf(facts.Name, "muse"), Version: version},
		UserAgent:  firstOf(facts.UserAgent, fmt.Sprintf("muse-build/%s (non-interactive; linux-x86_64; build 0)", version)),
		MuseHome:   h.home(), PlatformFamily: firstOf(facts.Family, "unix"), PlatformOS: firstOf(facts.OS, "linux"),
		Schema: schemaInfo{Version: 1, Fingerprint: firstOf(facts.Fingerprint, schemaFingerprint)}, GrantedCapabilities: h.granted,
		ExperimentalAPI: experimental, SessionDurability: durability,
	}}
}

// home is the host's data folder: the one that a script names, or the one of its environment.
func (h *host) home() string {
	return firstOf(h.server.options.Script.Host.Home, filepath.ToSlash(museHome(h.fact.Env)))
}

// opened takes the notification `initialized`: what waited for it goes out now, and turns that are under way go on.
func (h *host) opened() {
	if !h.initialized || h.open {
		return
	}
	h.open = true
	held := h.held
	h.held = nil
	for _, send := range held {
		send()
	}
	for _, t := range h.running() {
		h.advance(t) // the turns of sessions that were loaded from the start go on
	}
}

// whenOpen sends now or once `initialized` came: before it the host sends nothing but answers.
func (h *host) whenOpen(send func()) {
	if h.open {
		send()
		return
	}
	h.held = append(h.held, send)
}

// newID mints an id: shaped like a UUIDv7, unique in the server, from its counter.
func (s *Server) newID() string {
	s.ids++
	return fmt.Sprintf("0199fa4e-0000-7000-8000-%012x", s.ids)
}

// trimName shortens a text for a message.
func trimName(text string) string {
	text = strings.TrimSpace(text)
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
