package serve

import (
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

const (
	resetCycles = 4       // of a new model, before its first event
	stallCycles = 1 << 18 // without a stream moving before an event is given up: a table is swept faster
	quietCycles = 256     // without a stream moving after the last event: nothing more comes
	quietAsOne  = 1 << 14 // the same where every event has its response and one is missing
)

// asker offers events to a model and collects its responses.
type asker struct {
	control uint64 // control bits of an input record
	rstN    uint64
	ready   uint64 // of every output stream
	valid   uint64 // of every input stream
	ins     []event.Port
	outs    []event.Port
	asOne   bool // each event has one response, so counting finds the end

	rec, out  []uint64
	responses []uint64
	answer    wire.Answer
	open      int  // events without a response
	loose     bool // responses to what was taken before this ask may still come, so that counting is not enough
	quiet     int  // cycles in which no stream moved
}

func newAsker(l *event.Layout) *asker {
	a := &asker{control: l.In.ControlMask(), rstN: l.Reset(), ready: l.Readies(), ins: l.Inputs(), outs: l.Outputs(),
		asOne: len(l.Inputs()) == 1 && len(l.Outputs()) == 1, rec: make([]uint64, l.In.Words),
		out: make([]uint64, l.Out.Words)}
	for _, s := range a.ins {
		a.valid |= s.Valid
	}
	return a
}

// ask offers the events in order, every output ready, and runs the model until nothing more comes. The
// responses are in a.responses until the next call. A model that has seen no cycle is reset first.
func (a *asker) ask(k *conn, events []uint64) (*wire.Answer, error) {
	n := len(a.rec)
	for i := 0; i < len(events); i += n {
		if events[i]&a.valid == 0 {
			return nil, wire.Fail(wire.ErrProtocol, "event %d of an ask has no valid bit", i/n)
		}
	}
	a.responses, a.answer, a.open = a.responses[:0], wire.Answer{}, 0
	counts := a.asOne && !a.loose
	a.loose = true // until the count comes out
	if !k.ran {
		k.ran = true
		for range resetCycles {
			if _, err := a.cycle(k, 0); err != nil {
				return nil, err
			}
		}
	}
	for i := 0; i < len(events); i += n {
		copy(a.rec, events[i:i+n])
		a.rec[0] &^= a.control
		a.quiet = 0
		for left := events[i] & a.valid; left != 0; {
			took, err := a.cycle(k, a.rstN|a.ready|left)
			if err != nil {
				return nil, err
			}
			left &^= took
			if a.quiet > stallCycles {
				return nil, wire.Fail(wire.ErrStalled, "event %d of the ask: ready stayed low for %d cycles; configure anew", i/n,
					stallCycles)
			}
		}
		a.open++
	}
	clear(a.rec)
	for a.quiet = 0; ; {
		if a.over(counts) {
			a.loose = a.open != 0
			return &a.answer, nil
		}
		if _, err := a.cycle(k, a.rstN|a.ready); err != nil {
			return nil, err
		}
	}
}

// over reports whether the model has nothing more to give. A count below 0 means that earlier responses were counted,
// too.
func (a *asker) over(counts bool) bool {
	switch {
	case counts && a.open == 0:
		return true
	case a.asOne && a.open > 0:
		return a.quiet >= quietAsOne
	}
	return a.quiet >= quietCycles
}

// cycle runs one cycle and returns the valid bits of the events taken in it.
func (a *asker) cycle(k *conn, control uint64) (took uint64, err error) {
	a.rec[0] = a.rec[0]&^a.control | control
	k.model.Cycle(a.rec, a.out)
	a.answer.Cycles++
	a.quiet++
	for i := range a.ins {
		if s := &a.ins[i]; s.Moves(a.rec, a.out) {
			took |= s.Valid
			a.quiet = 0
		}
	}
	for i := range a.outs {
		s := &a.outs[i]
		if !s.Moves(a.out, a.rec) {
			continue
		}
		at := len(a.responses)
		if 8*(at+len(a.out)) > int(wire.DefaultLimits().Bulk) {
			return 0, wire.Fail(wire.ErrTooLarge, "the responses to the ask do not fit a frame; ask for fewer events at once")
		}
		a.responses = append(a.responses, a.out...)
		for w, m := range s.Mask {
			a.responses[at+w] &= m
		}
		a.responses[at] |= s.Valid
		a.answer.Responses++
		a.open--
		a.quiet = 0
	}
	return took, k.alive(a.answer.Cycles)
}
