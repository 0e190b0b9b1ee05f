package muse

import (
	"errors"
	"testing"

	"acp-conform/reference/rpc"
)

func TestReply(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line string
		code int  // of a host's error
		ok   bool // an acknowledgement of c1
	}{
		"good":            {`{"jsonrpc":"2.0","id":1,"result":{"commandId":"c1","status":"accepted"}}`, 0, true},
		"names nothing":   {`{"jsonrpc":"2.0","id":1,"result":{"status":"accepted"}}`, 0, true},
		"another command": {`{"jsonrpc":"2.0","id":1,"result":{"commandId":"c2"}}`, 0, false},
		"no object":       {`{"jsonrpc":"2.0","id":1,"result":[]}`, 0, false},
		"null":            {`{"jsonrpc":"2.0","id":1,"result":null}`, 0, false},
		"both":            {`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":-32020,"data":{"kind":"k"}}}`, 0, false},
		"of a kind":       {`{"jsonrpc":"2.0","id":1,"result":{"commandId":7}}`, 0, false},
		"an error":        {`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m","data":{"kind":"sessionNotFound"}}}`, -32020, false},
		"without kind":    {`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m"}}`, 0, false},
		"without code":    {`{"jsonrpc":"2.0","id":1,"error":{"message":"m","data":{"kind":"k"}}}`, 0, false},
		"error of a kind": {`{"jsonrpc":"2.0","id":1,"error":"x"}`, 0, false},
	} {
		m, _ := rpc.Parse([]byte(c.line))
		_, err := readReply(m).Acked("c1")
		var host *Error
		var broken *ProtocolError
		switch {
		case (err == nil) != c.ok:
			t.Errorf("%s: %v", name, err)
		case errors.As(err, &host) && host.Code != c.code, err != nil && c.code != 0 && host == nil:
			t.Errorf("%s: %v, want code %d", name, err, c.code)
		case err != nil && c.code == 0 && !errors.As(err, &broken):
			t.Errorf("%s: %v is no protocol error", name, err)
		}
	}
}

// Whatever a host says, reading it ends with a result that is an object, or with one of the two errors.
func FuzzReply(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"commandId":"c1"}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"data":{"kind":"k"}}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		m, bad := rpc.Parse(line)
		if bad != nil || m.Kind != rpc.Response {
			return
		}
		r := readReply(m)
		if r.Err == nil && (len(r.Result) == 0 || r.Result[0] != '{') {
			t.Fatalf("result %s", r.Result)
		}
		_, err := r.Acked("c1")
		var host *Error
		var broken *ProtocolError
		if err != nil && !errors.As(err, &host) && !errors.As(err, &broken) {
			t.Fatalf("another error: %v", err)
		}
	})
}
