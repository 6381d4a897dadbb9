package loop

import (
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// hardware is the block as the contexts of a run see it.
type hardware interface {
	// do gives the block an event and fills in the answer. It returns an error when there is none, or when it is not
	// an answer to an event of an open context.
	do(ev *ccc.Event, rsp *ccc.Response) error
	// finish returns, after the last event, what the device has played. It returns an error unless the device has
	// answered every event.
	finish() (total, error)
	close()
}

// total is what a device has played and answered.
type total struct{ events, cycles uint64 }

// taken returns an error when a response does not answer an event, or refuses it.
func taken(ev *ccc.Event, rsp *ccc.Response) error {
	switch {
	case rsp.Kind != ev.Kind || rsp.Ctx != ev.Ctx:
		return fmt.Errorf("the device answered %v of context %d with %v of context %d", ev.Kind, ev.Ctx, rsp.Kind, rsp.Ctx)
	case rsp.NoContext || rsp.Refused:
		return fmt.Errorf("the device refused %v of context %d (no_context %t, refused %t)", ev.Kind, ev.Ctx,
			rsp.NoContext, rsp.Refused)
	}
	return nil
}

// table holds the contents of the block: the context in each row and the registers in each profile.
type table struct {
	hw    hardware
	sets  []registerFile // registers of the profiles written so far
	rows  []*rtl         // the context in each row
	used  []uint64       // time of the last use of each row
	clock uint64
	swaps uint64
}

// newTable returns the table of a block after reset. resident is the number of rows to use; 0 means all.
func newTable(resident int) (*table, error) {
	if resident == 0 {
		resident = ccc.DefaultNumContexts
	}
	if resident < 1 || resident > ccc.DefaultNumContexts {
		return nil, errRows
	}
	return &table{rows: make([]*rtl, resident), used: make([]uint64, resident)}, nil
}

// configure returns the profile that holds the registers want, and writes a new profile if none does. It returns an
// error when the block has no profile left.
func (t *table) configure(want *registerFile) (uint8, error) {
	for i := range t.sets {
		if t.sets[i] == *want {
			return uint8(i), nil
		}
	}
	p := len(t.sets)
	if p == ccc.DefaultNumProfiles {
		return 0, fmt.Errorf("the contexts have more than %d different sets of constants, one for each profile of the "+
			"device: give fewer rates, or no separate base RTT for each flow", ccc.DefaultNumProfiles)
	}
	for a, v := range want {
		if v == ccc.RegInfo[a].Reset {
			continue
		}
		ev := ccc.Event{Kind: ccc.KindCfgWrite, Profile: uint8(p), Addr: uint8(a), Data: v}
		var rsp ccc.Response
		if err := t.hw.do(&ev, &rsp); err != nil {
			return 0, err
		}
	}
	t.sets = append(t.sets, *want)
	return uint8(p), nil
}

// admit gives a context a row: a free row or, if there is none, the row of the least recently used context, which is
// read out first.
func (t *table) admit(c *rtl) error {
	t.clock++
	if c.row >= 0 {
		t.used[c.row] = t.clock
		return nil
	}
	best := 0
	for i, who := range t.rows {
		if who == nil {
			best = i
			break
		}
		if t.used[i] < t.used[best] {
			best = i
		}
	}
	if old := t.rows[best]; old != nil {
		if err := t.readOut(old); err != nil {
			return fmt.Errorf("reading a context out: %w", err)
		}
	}
	c.row, t.rows[best], t.used[best] = best, c, t.clock
	if !c.opened {
		return nil // the first event opens it
	}
	if err := t.load(c); err != nil {
		return fmt.Errorf("loading a context: %w", err)
	}
	return nil
}

// stateLen is the number of state words of a context; the last one counts once per slot.
const stateLen = ccc.NumWords - 1 + ccc.DefaultNumPdcs

// at sets the address of a state word in an event.
func at(ev *ccc.Event, word int) {
	ev.Addr = uint8(min(word, ccc.NumWords-1))
	ev.PDC = uint8(max(word-(ccc.NumWords-1), 0))
}

func (t *table) readOut(c *rtl) error {
	var rsp ccc.Response
	for a := range c.words {
		ev := ccc.Event{Kind: ccc.KindRead, Ctx: uint16(c.row)}
		at(&ev, a)
		if err := t.hw.do(&ev, &rsp); err != nil {
			return err
		}
		c.words[a] = rsp.Data
	}
	c.row = -1
	t.swaps++
	return nil
}

func (t *table) load(c *rtl) error {
	var rsp ccc.Response
	if err := t.hw.do(&ccc.Event{Kind: ccc.KindOpen, Ctx: uint16(c.row), Profile: c.profile}, &rsp); err != nil {
		return err
	}
	for a, w := range c.words {
		ev := ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(c.row), Data: w}
		at(&ev, a)
		if err := t.hw.do(&ev, &rsp); err != nil {
			return err
		}
	}
	return nil
}
