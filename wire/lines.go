package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// DefaultLineLimit is the longest line that a LineReader takes when no other limit is given: 64 MiB. The protocol
// states no limit; real prompts with images reach tens of megabytes.
const DefaultLineLimit = 64 << 20

// LineTooLongError says that a line went over the limit. The rest of the stream is not read.
type LineTooLongError struct {
	Limit int // bytes
}

func (e *LineTooLongError) Error() string {
	return fmt.Sprintf("a line is longer than the limit of %d bytes", e.Limit)
}

// Line is one piece of a stream, without its LF.
type Line struct {
	Bytes []byte
	// Partial is true for the last piece of a stream that does not end with LF.
	Partial bool
}

// LineReader cuts a stream at LF and nowhere else: CR, NUL, U+2028 and the rest are ordinary bytes.
type LineReader struct {
	buf   *bufio.Reader
	limit int
}

// NewLineReader reads from r. A limit of 0 means DefaultLineLimit.
func NewLineReader(r io.Reader, limit int) *LineReader {
	if limit <= 0 {
		limit = DefaultLineLimit
	}
	// A buffer no longer than a line with its LF shows at once that a line is too long.
	return &LineReader{buf: bufio.NewReaderSize(r, min(64<<10, limit+1)), limit: limit}
}

// Next gives the next line. At the end of the stream it gives io.EOF; before that, a last piece without LF comes as
// a partial line. A line over the limit gives a *LineTooLongError.
func (r *LineReader) Next() (Line, error) {
	var whole []byte
	for {
		piece, err := r.buf.ReadSlice('\n')
		length := len(whole) + len(piece)
		if err == nil {
			length-- // the LF is no part of the line
		}
		if length > r.limit {
			return Line{}, &LineTooLongError{Limit: r.limit}
		}
		whole = append(whole, piece...)
		switch {
		case err == nil:
			return Line{Bytes: whole[:len(whole)-1]}, nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case len(whole) > 0 && errors.Is(err, io.EOF):
			return Line{Bytes: whole, Partial: true}, nil
		default:
			return Line{}, err
		}
	}
}
