package conform

import (
	"context"
	"time"

	"acp-conform/scenarios"
	"acp-conform/wire"
)

// think lets real time pass in which the editor sends nothing. What the adapter asks meanwhile is answered by the step
// behind this one. It shows what an adapter does not do by a clock of its own for so long, and nothing more than that;
// an adapter that is right is not judged by its speed here. It ends early where the adapter does.
func (s *Scenario) think(step scenarios.Step) {
	ctx, cancel := context.WithTimeout(s.ctx, time.Duration(step.Seconds)*time.Second)
	defer cancel()
	gone := false
	s.log.Wait(ctx, func(v wire.View) bool {
		gone = v.Full() != "" || s.client.trouble() != nil
		return gone
	})
	switch {
	case gone:
		s.giveUp(s.gone("the user was still thinking"))
	case s.ctx.Err() != nil:
		s.giveUp(context.Cause(s.ctx))
	}
}
