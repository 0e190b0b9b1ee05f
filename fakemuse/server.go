package fakemuse

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"acp-conform/wire"
)

// DefaultVersion is the version that the fake Muse claims when nothing else is said: the baseline of the recordings.
const DefaultVersion = "1.1.1-R2514.1"

// Options say what one Server plays. Log is required; everything else has a default.
type Options struct {
	// Log keeps every frame, and the claims of those at work.
	Log *wire.Log
	// Script is what the model does, turn by turn. Without one every turn is unscripted: it fails, and is a Problem.
	Script *Script
	// Root is the scenario's private folder. No tool acts outside it; without a Root no tool acts at all.
	Root string
	// Workspace is the folder of the scenario's stored sessions, where the script does not name another.
	Workspace string
	// MuseHome is the data folder in which the logs of the scenario's stored sessions are written before anything
	// starts, for adapters that look there: $XDG_DATA_HOME/muse. Empty means that the first host's folder is used.
	MuseHome string
	// Variants are the host variants to play where the script does not fix them; see VariantNames.
	Variants []string
	// Version is the host's version where the script does not fix it; DefaultVersion if empty.
	Version string
	// Executable is the program that the stand-in is linked to; our own if empty. Its main must call Main.
	Executable string
	// TempDir is where the folder of the stand-in is made; the system's folder for temporary files if empty. On the
	// file system of Executable a link can be made instead of a copy.
	TempDir string
	// Grace is how long Close waits for a stand-in to go by itself before it is killed; 2 s if zero. A stand-in goes
	// within milliseconds once its connection ends; the rest is for a machine that is very busy.
	Grace time.Duration
	// HelloTime is how long a peer may take to say who it is; 5 s if zero, for the same reason.
	HelloTime time.Duration
	// ShellTime is how long a scripted command may run; 60 s if zero. It only ends commands that nobody would wait for.
	ShellTime time.Duration
	// OutputLimit bounds what a tool shows of its output, in bytes; 256 KiB if zero. More is cut and marked as cut.
	OutputLimit int
	// FrameLimit is the longest frame that the host takes, in bytes; 10 MiB if zero, the limit of MSP.
	FrameLimit int
}

func (o Options) withDefaults() (Options, error) {
	if o.Log == nil {
		return o, errors.New("starting the fake muse: Options.Log is missing")
	}
	if o.Script == nil {
		o.Script = &Script{}
	}
	if o.Version == "" {
		o.Version = DefaultVersion
	}
	if o.Script.Version != "" {
		o.Version = o.Script.Version
	}
	executable, err := orOwn(o.Executable)
	if err != nil {
		return o, err
	}
	o.Executable = executable
	if o.Root != "" {
		root, err := filepath.Abs(o.Root)
		if err != nil {
			return o, fmt.Errorf("naming the scenario's folder: %w", err)
		}
		o.Root = root
	}
	o.Grace = orDefault(o.Grace, 2*time.Second)
	o.HelloTime = orDefault(o.HelloTime, 5*time.Second)
	o.ShellTime = orDefault(o.ShellTime, 60*time.Second)
	o.OutputLimit = orDefault(o.OutputLimit, 256<<10)
	o.FrameLimit = orDefault(o.FrameLimit, 10<<20)
	return o, nil
}

func orDefault[T int | time.Duration](value, standard T) T {
	if value <= 0 {
		return standard
	}
	return value
}

// Server is one fake Muse: all `muse` processes that one adapter starts, and the sessions that they share. All methods
// may be called from any goroutine.
type Server struct {
	options  Options
	variants variants
	methods  map[string]method
	program  string // the stand-in
	token    string
	listener net.Listener
	work     sync.WaitGroup // every goroutine of the server
	closing  chan struct{}
	closed   sync.Once
	closeErr error

	// mu guards everything below, and all hosts, sessions and turns. Nobody blocks while holding it: frames are
	// queued, commands run in goroutines of their own. It is taken before the log's lock, never after.
	mu       sync.Mutex
	peers    map[*peer]bool
	nonces   map[string]bool
	hosts    int // `serve` starts so far
	starts   []StartFact
	calls    []CallFact
	problems []Problem
	progress []turnProgress
	events   map[string]bool // named events that have happened
	turns    map[*turn]bool  // turns under way
	ids      uint64
	order    int // turns so far
	stored   map[string]*session
	openings ledger              // the commands that made sessions
	called   map[string]int      // calls by method
	parked   map[string][]func() // what waits for a named event, other than turns
	shells   map[int]bool        // scripted shell lines that were used
	fired    map[int]bool        // triggers that were used
	skills   map[string]string   // activations by scope and selector
}

// Start begins to listen and places the stand-in.
func Start(options Options) (*Server, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	chosen, err := chooseVariants(options.Script.Variants, options.Variants)
	if err != nil {
		return nil, fmt.Errorf("starting the fake muse: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the fake muse: %w", err)
	}
	s := &Server{
		options: options, variants: chosen, methods: methodTable(), listener: listener, token: randomText(),
		closing: make(chan struct{}), peers: map[*peer]bool{}, nonces: map[string]bool{}, events: map[string]bool{},
		turns: map[*turn]bool{}, stored: map[string]*session{}, openings: ledger{}, progress: make([]turnProgress, len(options.Script.Turns)),
		ids: options.Script.IDs, called: map[string]int{}, parked: map[string][]func(){}, shells: map[int]bool{}, fired: map[int]bool{},
		skills: map[string]string{},
	}
	if err := s.openStore(); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	dir, err := install(options.TempDir, options.Executable, linkFacts{Address: listener.Addr().String(), Token: s.token})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.program = filepath.Join(dir, programName())
	s.work.Go(s.accept)
	return s, nil
}

// Dir is the folder that goes first on the adapter's PATH.
func (s *Server) Dir() string { return filepath.Dir(s.program) }

// Path is the stand-in itself, for adapters that are told where Muse is.
func (s *Server) Path() string { return s.program }

// Variants lists the host variants in force.
func (s *Server) Variants() []string { return s.variants.names() }

// Version is the version that the host claims.
func (s *Server) Version() string { return s.options.Version }

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			select {
			case <-s.closing:
				return
			default:
			}
			s.mu.Lock()
			s.problem(ProblemInternal, "", "the loopback server stopped listening: %v", err)
			s.mu.Unlock()
			return
		}
		s.work.Go(func() { s.meet(conn) })
	}
}

// Close ends the server: it stops listening, kills running commands, ends every connection, kills the stand-ins that
// do not go by themselves within the grace, and removes the folder. It leaves no goroutine, process or folder. The
// adapter should be gone before.
func (s *Server) Close() error {
	s.closed.Do(func() {
		close(s.closing)
		err := s.listener.Close()
		s.mu.Lock()
		var open []*peer
		for p := range s.peers {
			open = append(open, p)
			p.part()
		}
		s.mu.Unlock()
		awaitGone(open, s.options.Grace)
		s.work.Wait()
		s.closeErr = errors.Join(err, os.RemoveAll(s.Dir()))
	})
	return s.closeErr
}

// awaitGone waits until the stand-ins are gone. The other end of a connection is closed by the end of the process, so
// as long as it is open the process lives and its number is its own: then it may be killed.
func awaitGone(open []*peer, grace time.Duration) {
	waitAll(open, grace)
	for _, p := range open {
		select {
		case <-p.gone:
			continue
		default:
		}
		if p.pid > 0 {
			killProcess(p.pid)
		}
	}
	waitAll(open, grace)
	for _, p := range open {
		p.conn.Close()
	}
}

func waitAll(open []*peer, grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for _, p := range open {
		select {
		case <-p.gone:
		case <-timer.C:
			return
		}
	}
}
