package fakemuse

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// Settings is what a host reads from the settings.json of the configuration folder that it was given.
type Settings struct {
	Model   string
	Effort  string
	Profile string // the permission profile
	// Servers are the MCP servers, by name.
	Servers map[string]ServerSetting
	Broken  bool // the file cannot be read
}

// ServerSetting is one MCP server of a Settings.
type ServerSetting struct {
	Transport string `json:"transport"`
	Command   string `json:"command"`
	Mode      string `json:"mode"` // required or optional
}

// required says whether turns fail without the server.
func (s ServerSetting) required() bool { return s.Mode != "optional" }

// readSettings reads $XDG_CONFIG_HOME/muse/settings.json, inside Options.Root only.
func (s *Server) readSettings(env map[string]string) *Settings {
	dir := env["XDG_CONFIG_HOME"]
	if dir == "" {
		dir = filepath.Join(env["HOME"], ".config")
	}
	dir = filepath.Join(dir, "muse")
	if !s.inside(dir) {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "settings.json"))
	if err != nil {
		return nil
	}
	var file struct {
		Model       string                   `json:"model"`
		Effort      string                   `json:"reasoning_effort"`
		Servers     map[string]ServerSetting `json:"mcpServers"`
		Legacy      map[string]ServerSetting `json:"mcp_servers"`
		Permissions struct {
			Profile string `json:"default_profile"`
		} `json:"permissions"`
	}
	if json.Unmarshal(text, &file) != nil {
		return &Settings{Broken: true}
	}
	settings := &Settings{Model: file.Model, Effort: file.Effort, Profile: file.Permissions.Profile, Servers: file.Servers}
	for name, server := range file.Legacy {
		if settings.Servers == nil {
			settings.Servers = map[string]ServerSetting{}
		}
		if _, there := settings.Servers[name]; !there {
			settings.Servers[name] = server
		}
	}
	for name, server := range settings.Servers {
		if server.Mode == "" {
			server.Mode = "required"
		}
		if server.Transport == "" && server.Command != "" {
			server.Transport = "stdio"
		}
		settings.Servers[name] = server
	}
	return settings
}

// refusedByProfile refuses sessions under a profile that needs a reviewer, which `muse serve` has not (msp.md §1.2).
func (h *host) refusedByProfile() *rpcError {
	if set := h.fact.Settings; set == nil || set.Profile != ":auto-review" {
		return nil
	}
	return failure(-32603, "internal", "the permission profile :auto-review needs a reviewer, which serve does not have")
}

// serverWorks says whether an MCP server starts: unless the script says otherwise, when its program is there.
func (h *host) serverWorks(name string, server ServerSetting) bool {
	if slices.Contains(h.server.options.Script.BrokenServers, name) {
		return false
	}
	if server.Transport != "stdio" {
		return true
	}
	_, err := exec.LookPath(server.Command)
	return err == nil
}

// brokenServers fails a turn when an MCP server does not start that is required: one of the settings, or of the client.
func (t *turn) brokenServers() error {
	if t.stored {
		return nil
	}
	broken := map[string]bool{}
	if set := t.host.fact.Settings; set != nil {
		for name, server := range set.Servers {
			if server.required() && !t.host.serverWorks(name, server) {
				broken[name] = true
			}
		}
	}
	for name, required := range t.session.servers {
		if required && slices.Contains(t.host.server.options.Script.BrokenServers, name) {
			broken[name] = true
		}
	}
	for _, name := range sortedNames(broken) {
		return &turnFailure{Failure{Kind: "configError", Message: "the required MCP server " + name + " did not start"}}
	}
	return nil
}

// clientServers reads the MCP servers that a client passes on the wire, with whether they are required; they need a
// grant, but an empty map does not (msp.md §5.2).
func (h *host) clientServers(method string, config *params) (map[string]bool, *rpcError) {
	if config == nil {
		return nil, nil
	}
	servers := config.optionalObject("mcpServers")
	if err := config.err(); err != nil {
		return nil, err
	}
	if servers == nil || len(servers.members) == 0 {
		return nil, nil
	}
	if !slices.Contains(h.granted, "sessionMcp") {
		e := failure(-32010, "capabilityRequired", "session MCP configuration requires the sessionMcp capability")
		e.Data.Capability = "sessionMcp"
		return nil, e
	}
	required := map[string]bool{}
	for _, name := range sortedNames(servers.members) {
		server := servers.object(name)
		server.variant(server.text("transport"), []string{"stdio", "streamableHttp"})
		required[name] = firstOf(server.choice("mode", []string{"required", "optional"}), "required") == "required"
		servers.adopt(server)
	}
	return required, servers.err()
}
