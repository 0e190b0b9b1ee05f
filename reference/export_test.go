package reference

import (
	"context"
	"io"

	"acp-conform/reference/audit"
)

// Service is the approval seam as its askers see it.
type Service = service

// RunWith is Run with something that stands in for the seam, or goes away with it (nil for nothing), and with audit logs
// that are kept otherwise.
func RunWith(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, o Options, standIn func(Service) func() Service, logs audit.Config) error {
	a, err := newAdapter(stderr, o)
	if err != nil {
		return err
	}
	a.logs = logs
	if standIn != nil {
		a.service = standIn(a.service())
	}
	return a.run(ctx, stdin, stdout)
}
