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
	credit []Credit
}

func newRegisters(profiles int) registers {
	r := registers{raw: make([]arith.Registers, profiles), params: make([]nscc.Params, profiles),
		credit: make([]Credit, profiles)}
	r.reset()
	return r
}

func (r *registers) reset() {
	for p := range r.raw {
		r.raw[p] = arith.Reset()
		r.derive(p)
	}
}

// derive computes the constants of a profile.
func (r *registers) derive(p int) {
	k := arith.FloatParams(&r.raw[p])
	r.params[p], r.credit[p] = k, NewCredit(k.RCCC, int64(k.MTU), int64(k.InitWnd))
}

// write takes a CFG_WRITE that was not refused. TIME_SHIFT belongs to all profiles.
func (r *registers) write(ev *ccc.Event) {
	v := ev.Data & (1<<ccc.RegInfo[ev.Addr].Width - 1)
	for p := range r.raw {
		if ev.Addr == ccc.RegTimeShift || p == int(ev.Profile) {
			r.raw[p][ev.Addr] = v
			r.derive(p)
		}
	}
}
