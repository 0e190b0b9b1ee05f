package reference

import (
	"context"
	"io"
)

// Service is the approval seam as its askers see it.
type Service = service

// RunWith is Run with something that stands in for the seam, or goes away with it; nil for nothing.
func RunWith(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, o Options, standIn func(Service) func() Service) error {
	a, err := newAdapter(stderr, o)
	if err != nil {
		return err
	}
	if standIn != nil {
		a.service = standIn(a.service())
	}
	return a.run(ctx, stdin, stdout)
}
