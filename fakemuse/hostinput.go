package fakemuse

import (
	"errors"
	"io"
)

// hostInput is the adapter's side of a host as a stream of bytes. It holds a claim from the moment bytes are read
// until more are asked for and none are there: all whole frames in them have been handled by then.
type hostInput struct {
	host    *host
	rest    []byte
	claim   func()
	ended   bool
	eof     bool // it ended because stdin did
	signal  string
	garbage string
}

func (in *hostInput) release() {
	if in.claim != nil {
		in.claim()
		in.claim = nil
	}
}

// Read gives the next bytes. However the input ends, it is an EOF for the reader of lines; the fields say how.
func (in *hostInput) Read(p []byte) (int, error) {
	if in.ended {
		return 0, io.EOF
	}
	if len(in.rest) == 0 {
		if err := in.next(); err != nil {
			in.ended = true
			return 0, err
		}
	}
	n := copy(p, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}

// next waits for the next data message. The claim is taken before the message is looked at.
func (in *hostInput) next() error {
	reader := in.host.peer.in
	for {
		if reader.Buffered() == 0 {
			in.release()
			if _, err := reader.Peek(1); err != nil {
				in.take()
				return io.EOF
			}
		}
		in.take()
		kind, payload, err := readMessage(reader)
		var garbage *garbageError
		switch {
		case errors.As(err, &garbage):
			in.garbage = garbage.what
			return io.EOF
		case err != nil:
			return io.EOF
		case kind == msgEOF:
			in.eof = true
			return io.EOF
		case kind == msgSignal:
			in.signal = string(payload)
			return io.EOF
		case kind != msgData:
			in.garbage = "a message that only the harness may send"
			return io.EOF
		case len(payload) > 0:
			in.rest = payload
			return nil
		}
	}
}

func (in *hostInput) take() {
	if in.claim == nil {
		in.claim = in.host.server.options.Log.Busy(in.host.who())
	}
}
