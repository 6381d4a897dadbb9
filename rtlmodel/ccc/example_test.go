package ccc_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/ccc"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// One event passes through the clocked model: its response is at the port LATENCY + 1 cycles after the model accepts
// the event.
func Example() {
	m, err := ccc.New(ccc.DefaultSpec())
	if err != nil {
		fmt.Println(err)
		return
	}
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	port.PackEvent(&port.Event{Kind: port.KindOpen, Ctx: 7}, in[:])
	in[0] |= port.InRstN | port.InEvValid | port.InRspReady

	taken := 0
	for cycle := 0; ; cycle++ {
		m.Cycle(in[:], out[:])
		if out[0]&port.OutEvReady != 0 && in[0]&port.InEvValid != 0 {
			fmt.Println("taken in cycle", cycle)
			taken = cycle
			in[0] &^= port.InEvValid
		}
		if out[0]&port.OutRspValid != 0 {
			var r port.Response
			port.UnpackResponse(out[:], &r)
			fmt.Println("answered", cycle-taken, "cycles later:", r.Kind, r.State, "cwnd", r.Cwnd)
			return
		}
	}
	// Output:
	// taken in cycle 256
	// answered 37 cycles later: OPEN IDLE cwnd 225000
}
