package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// bench drives a model, from the first cycle after its sweep on.
type bench struct {
	tb  testing.TB
	m   *Model
	out [port.OutWords]uint64
	now int // the next cycle
}

func newBench(tb testing.TB, contexts int) *bench {
	m, err := New(Spec{Contexts: contexts})
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	b.cycle(nil, nil, nil, takes&^high)
	for range m.spec.Pdcs() * port.Window {
		b.cycle(&port.Cmd{}, &port.Rec{}, &port.View{}, takes)
		require.Zero(tb, b.out[0])
	}
	b.now = 0
	return b
}

func (b *bench) cycle(cmd *port.Cmd, rec *port.Rec, view *port.View, ctl uint64) {
	var in [port.InWords]uint64
	if cmd != nil {
		port.PackCmd(cmd, in[:])
		ctl |= port.InCmdValid
	}
	if rec != nil {
		port.PackRec(rec, in[:])
		ctl |= port.InRecValid
	}
	if view != nil {
		port.PackView(view, in[:])
		ctl |= port.InViewValid
	}
	in[0] |= ctl
	b.m.Cycle(in[:], b.out[:])
	b.now++
}

const (
	high  = port.InRstN
	takes = port.InRstN | port.InActReady | port.InRspReady
)

// seen is what came at the ports, with the cycle of each transfer.
type seen struct {
	cmdAt, recAt, viewAt, actAt, rspAt []int
	act                                []port.Act
	rsp                                []port.Response
}

// run offers inputs back to back, and then nothing, for a number of cycles.
func (b *bench) run(cmds []port.Cmd, recs []port.Rec, views []port.View, ctl uint64, cycles int) (s seen) {
	for range cycles {
		b.cycle(first(cmds), first(recs), first(views), ctl)
		cmds = moved(cmds, b.out[0]&port.OutCmdReady, b.now-1, &s.cmdAt)
		recs = moved(recs, b.out[0]&port.OutRecReady, b.now-1, &s.recAt)
		views = moved(views, b.out[0]&port.OutViewReady, b.now-1, &s.viewAt)
		if b.out[0]&port.OutActValid != 0 && ctl&port.InActReady != 0 {
			var x port.Act
			port.UnpackAct(b.out[:], &x)
			s.actAt, s.act = append(s.actAt, b.now-1), append(s.act, x)
		}
		if b.out[0]&port.OutRspValid != 0 && ctl&port.InRspReady != 0 {
			var x port.Response
			port.UnpackResponse(b.out[:], &x)
			s.rspAt, s.rsp = append(s.rspAt, b.now-1), append(s.rsp, x)
		}
	}
	return s
}

// first returns the first of what is offered, nil if there is nothing.
func first[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// moved returns what is left to be offered after a cycle.
func moved[T any](x []T, ready uint64, now int, at *[]int) []T {
	if len(x) == 0 || ready == 0 {
		return x
	}
	*at = append(*at, now)
	return x[1:]
}
