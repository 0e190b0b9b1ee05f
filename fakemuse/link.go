package fakemuse

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Stand-in and server exchange messages: one byte that says what it is, four bytes of length (big-endian), then the
// payload. The stand-in opens with hello; the server answers with welcome, reply or refused.
const (
	msgHello   byte = 'h' // to the server: JSON of a hello
	msgWelcome byte = 'w' // to the stand-in of `serve`: go on
	msgRefused byte = 'n' // to the stand-in: why it was turned away, as text
	msgReply   byte = 'r' // to the stand-in of any other invocation: JSON of a callReply
	msgData    byte = 'd' // either way: bytes of stdin or for stdout
	msgEOF     byte = 'e' // to the server: stdin ended
	msgSignal  byte = 's' // to the server: a signal came, its name as text
	msgExit    byte = 'x' // to the stand-in: end with this code (one byte)
)

const (
	// messageLimit bounds one message. Data is cut into pieces of dataPiece; only a hello with a very long argv is
	// larger, and the longest argv that systems take is 2 MiB.
	messageLimit = 4 << 20
	// dataPiece is the largest piece of a stream in one message: one pipe buffer.
	dataPiece = 64 << 10
	headLen   = 5
)

// garbageError says that what came over a connection is no message of ours.
type garbageError struct{ what string }

func (e *garbageError) Error() string { return e.what }

// appendMessage adds a message to buf.
func appendMessage(buf []byte, kind byte, payload []byte) []byte {
	buf = append(buf, kind)
	buf = binary.BigEndian.AppendUint32(buf, uint32(len(payload)))
	return append(buf, payload...)
}

// appendData adds data messages for all of payload.
func appendData(buf, payload []byte) []byte {
	for len(payload) > dataPiece {
		buf = appendMessage(buf, msgData, payload[:dataPiece])
		payload = payload[dataPiece:]
	}
	return appendMessage(buf, msgData, payload)
}

func writeMessage(w io.Writer, kind byte, payload []byte) error {
	_, err := w.Write(appendMessage(make([]byte, 0, headLen+len(payload)), kind, payload))
	return err
}

// readMessage reads one message. At the end of the stream, between messages, it gives io.EOF; an unknown kind or an
// impossible length gives a *garbageError, an end inside a message io.ErrUnexpectedEOF. The length is believed only as
// far as bytes come.
func readMessage(r *bufio.Reader) (kind byte, payload []byte, err error) {
	var head [headLen]byte
	if head[0], err = r.ReadByte(); err != nil {
		return 0, nil, err
	}
	if !knownMessage(head[0]) {
		return 0, nil, &garbageError{what: fmt.Sprintf("a message begins with the unknown byte 0x%02x", head[0])}
	}
	if _, err := io.ReadFull(r, head[1:]); err != nil {
		return 0, nil, cutShort(err)
	}
	length := int(binary.BigEndian.Uint32(head[1:]))
	if length > messageLimit {
		return 0, nil, &garbageError{what: fmt.Sprintf("a message claims %d bytes, more than the limit of %d", length, messageLimit)}
	}
	if length > dataPiece {
		payload, err = io.ReadAll(io.LimitReader(r, int64(length)))
		if err == nil && len(payload) < length {
			err = io.ErrUnexpectedEOF
		}
	} else {
		payload = make([]byte, length)
		_, err = io.ReadFull(r, payload)
	}
	if err != nil {
		return 0, nil, cutShort(err)
	}
	return head[0], payload, nil
}

func knownMessage(kind byte) bool {
	switch kind {
	case msgHello, msgWelcome, msgRefused, msgReply, msgData, msgEOF, msgSignal, msgExit:
		return true
	}
	return false
}

// cutShort is the error for a connection that ended inside a message.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
