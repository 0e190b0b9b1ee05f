package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// readLines reads a stream to its end and gives its lines, a partial one with "…" behind it.
func readLines(r io.Reader, limit int) (lines []string, err error) {
	in := NewLineReader(r, limit)
	for {
		line, err := in.Next()
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		text := string(line.Bytes)
		if line.Partial {
			text += "…"
		}
		lines = append(lines, text)
	}
}

func TestLinesEndAtLFOnly(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, stream string
		want         []string
	}{
		{"nothing", "", nil},
		{"one line", "a\n", []string{"a"}},
		{"two lines", "a\nb\n", []string{"a", "b"}},
		{"blank lines are lines", "\n\na\n", []string{"", "", "a"}},
		{"the last line has no LF", "a\nb", []string{"a", "b…"}},
		{"CR is an ordinary byte", "a\r\nb\rc\n", []string{"a\r", "b\rc"}},
		{"NUL and separators of Unicode are ordinary bytes", "a\x00b\u2028c\u0085d\vx\fy\n", []string{"a\x00b\u2028c\u0085d\vx\fy"}},
		{"bytes that are not UTF-8", "\xff\xfe\n", []string{"\xff\xfe"}},
		{"longer than the buffer", strings.Repeat("x", 200<<10) + "\ny\n", []string{strings.Repeat("x", 200<<10), "y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for way, r := range map[string]io.Reader{
				"whole":         strings.NewReader(tt.stream),
				"byte by byte":  iotest.OneByteReader(strings.NewReader(tt.stream)),
				"end with data": iotest.DataErrReader(strings.NewReader(tt.stream)),
			} {
				got, err := readLines(r, 0)
				if err != nil {
					t.Fatalf("%s: %v", way, err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", way, diff)
				}
			}
		})
	}
}

// The limit counts the bytes of a line without its LF, whether the LF came or not.
func TestLineLimit(t *testing.T) {
	t.Parallel()
	const big = 100 << 10 // longer than the reader's buffer
	tests := []struct {
		name   string
		limit  int
		stream string
		want   []string
		over   bool
	}{
		{"just at the limit", 4, "abcd\n", []string{"abcd"}, false},
		{"one over it", 4, "a\nabcde\n", []string{"a"}, true},
		{"without LF, just at it", 4, "abcd", []string{"abcd…"}, false},
		{"without LF, one over it", 4, "abcde", nil, true},
		{"long, just at it", big, strings.Repeat("x", big) + "\n", []string{strings.Repeat("x", big)}, false},
		{"long, one over it", big, strings.Repeat("x", big+1) + "\n", nil, true},
		{"at the size of the buffer", 64 << 10, strings.Repeat("x", 64<<10) + "\n", []string{strings.Repeat("x", 64<<10)}, false},
		{"one over the size of the buffer", 64 << 10, strings.Repeat("x", 64<<10+1) + "\n", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := readLines(strings.NewReader(tt.stream), tt.limit)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var tooLong *LineTooLongError
			if errors.As(err, &tooLong) != tt.over || tt.over && tooLong.Limit != tt.limit {
				t.Errorf("got the error %v", err)
			}
		})
	}
}

// A flood without LF is refused as soon as it is over the limit; it is never gathered.
func TestAFloodIsNotGathered(t *testing.T) {
	t.Parallel()
	flood := &counter{}
	_, err := NewLineReader(flood, 1<<20).Next()
	var tooLong *LineTooLongError
	if !errors.As(err, &tooLong) {
		t.Fatalf("got the error %v", err)
	}
	if flood.n > 2<<20 {
		t.Errorf("%d bytes were read for a limit of %d", flood.n, 1<<20)
	}
}

type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	c.n += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

func TestReadErrorsAreKept(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := readLines(io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(broken)), 0)
	if !errors.Is(err, broken) {
		t.Errorf("got the error %v", err)
	}
}

// FuzzLines: the lines, put together again, are the stream.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nb\r\n\x00\xff"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		var whole []byte
		in := NewLineReader(iotest.OneByteReader(bytes.NewReader(stream)), 1<<20)
		for {
			line, err := in.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			whole = append(whole, line.Bytes...)
			if !line.Partial {
				whole = append(whole, '\n')
			}
			if bytes.ContainsRune(line.Bytes, '\n') {
				t.Errorf("the line %q has a LF in it", line.Bytes)
			}
		}
		if !bytes.Equal(whole, stream) {
			t.Errorf("got %q, want %q", whole, stream)
		}
	})
}

// A line that is too long is refused when it is, not when more comes or the stream ends.
func TestTheLimitIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	go w.Write(bytes.Repeat([]byte("x"), 21)) // and no LF, and no end
	_, err := NewLineReader(r, 20).Next()
	var tooLong *LineTooLongError
	if !errors.As(err, &tooLong) {
		t.Errorf("got the error %v", err)
	}
}
