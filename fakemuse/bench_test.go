//go:build unix

package fakemuse

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"acp-conform/wire"
)

// benchFrames is how many frames one measurement sends. With their answers they fit into a log of the usual size.
const benchFrames = 20_000

// BenchmarkFrames measures how many frames per second go in at one pipe and come out at another: through the stand-in
// and the loopback server, which reads, logs, answers and logs again, and through cat, which is what the pipes and the
// start of a process cost by themselves. The lines that go in are the same.
//
//	go test ./fakemuse -run '^$' -bench Frames -benchtime 10x
func BenchmarkFrames(b *testing.B) {
	var lines strings.Builder
	for i := range benchFrames {
		fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":%d,"method":"usage/read","params":{}}`+"\n", i+2)
	}
	b.Run("fake-muse", func(b *testing.B) {
		perSecond(b, func() time.Duration {
			root := b.TempDir()
			server, err := Start(Options{Log: wire.NewLog(wire.Limits{}), Root: root})
			if err != nil {
				b.Fatal(err)
			}
			defer server.Close()
			cmd := exec.Command(server.Path(), "serve")
			cmd.Env = []string{"HOME=" + filepath.Join(root, "home")}
			return through(b, cmd, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"bench","version":"1"}}}`, lines.String())
		})
	})
	b.Run("cat", func(b *testing.B) {
		perSecond(b, func() time.Duration { return through(b, exec.Command("cat"), `{}`, lines.String()) })
	})
}

// perSecond reports the frames per second of all measurements.
func perSecond(b *testing.B, measure func() time.Duration) {
	var took time.Duration
	for range b.N {
		took += measure()
	}
	b.ReportMetric(float64(b.N)*benchFrames/took.Seconds(), "frames/s")
}

// through starts a program, waits for the answer to a first line, and then measures how long it takes until as many
// lines came out as went in.
func through(b *testing.B, cmd *exec.Cmd, first, lines string) time.Duration {
	b.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	cmd.Stdout = write
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	write.Close()
	defer func() {
		in.Close()
		io.Copy(io.Discard, read)
		read.Close()
		if err := cmd.Wait(); err != nil {
			b.Error(err)
		}
	}()
	out := bufio.NewReaderSize(read, 64<<10)
	if _, err := io.WriteString(in, first+"\n"); err != nil {
		b.Fatal(err)
	}
	if _, err := out.ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	written := make(chan error, 1)
	go func() {
		_, err := io.WriteString(in, lines)
		written <- err
	}()
	for range benchFrames {
		if _, err := out.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	took := time.Since(begun)
	if err := <-written; err != nil {
		b.Fatal(err)
	}
	return took
}
