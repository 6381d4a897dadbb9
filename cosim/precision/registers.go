package precision

import (
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/cc/nscc/arith"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// registers follow the configuration as the events write it, one set for each profile, with the constants that the
// float reference runs on.
type registers struct {
	raw    []arith.Registers
	params []nscc.Params
}

func newRegisters(profiles int) registers {
	r := registers{raw: make([]arith.Registers, profiles), params: make([]nscc.Params, profiles)}
	r.reset()
	return r
}

func (r *registers) reset() {
	for p := range r.raw {
		r.raw[p] = arith.Reset()
		r.params[p] = arith.FloatParams(&r.raw[p])
	}
}

// write takes a CFG_WRITE that was not refused. TIME_SHIFT belongs to all profiles.
func (r *registers) write(ev *ccc.Event) {
	v := ev.Data & (1<<ccc.RegInfo[ev.Addr].Width - 1)
	for p := range r.raw {
		if ev.Addr == ccc.RegTimeShift || p == int(ev.Profile) {
			r.raw[p][ev.Addr] = v
			r.params[p] = arith.FloatParams(&r.raw[p])
		}
	}
}
