package elastic

import (
	"errors"

	"github.com/goldwire/goldwire/cosim/tolerance"
	"github.com/goldwire/goldwire/vectors/stim"
)

// reads is an episode with events between its own that read the state: after each event one for each state word, with
// the fields of the event, so that it reads what that changed, and for the register that the event may have written;
// after each reset one for each register with a rule, whose value after a reset need not be the contract's.
//
// Every event is followed by the same number of them: the resets of an episode stand at numbers of items.
type reads struct {
	ep        *stim.Episode
	access    *tolerance.Access
	after     []read // each event
	start     []read // each reset
	resets    []stim.Reset
	begun     int    // resets whose reads were given
	given     int    // events of the episode given
	due       []read // to be given
	base      []uint64
	marks     []bool // by item given and not accepted: whether it is one of the episode's
	store     [2 * stim.Lookahead][]uint64
	at        int // in store
	source    []uint64
	sourceSet bool
}

// read is an event to be inserted; own marks the address and profile of the event before it.
type read struct {
	kind, addr, bank uint64
	own              bool
}

// mostBanks is the largest number of profiles of which registers are read after a reset. One that the block does not
// have is refused, which is compared, too.
const mostBanks = 16

// errLanes refuses what reads cannot be inserted into.
var errLanes = errors.New("resync: the episode drives several streams, so that no event can be inserted into it")

// withReads returns the episode with the reads between its events.
func withReads(ep *stim.Episode, a *tolerance.Access) (*reads, *stim.Episode, error) {
	if ep.Drive.ByLane || len(ep.Drive.Relief) > 0 || ep.Events == nil && ep.Items == nil {
		return nil, nil, errLanes
	}
	r := &reads{ep: ep, access: a, resets: ep.Drive.Resets}
	for _, addr := range a.Words {
		r.after = append(r.after, read{kind: a.Read, addr: addr})
	}
	if len(a.Registers) > 0 {
		r.after = append(r.after, read{kind: a.ReadConf, own: true})
	}
	banks := 1
	if a.Bank != nil {
		banks = min(1<<min(a.Bank.Field.Width, 8), mostBanks)
	}
	for _, addr := range a.Registers {
		for bank := range banks {
			r.start = append(r.start, read{kind: a.ReadConf, addr: addr, bank: uint64(bank)})
		}
	}
	with := *ep
	with.Tap, with.Events, with.Items, with.Len = nil, nil, r.item, 0
	with.Drive.Resets, with.Drive.Gaps = r.moved()
	return r, &with, nil
}

// moved returns the resets and gaps of the episode at the places where its items are now.
func (r *reads) moved() (resets []stim.Reset, gaps []uint16) {
	each := 1 + len(r.after)
	for k, x := range r.resets {
		x.After = x.After*each + k*len(r.start)
		resets = append(resets, x)
	}
	if n := len(r.ep.Drive.Gaps); n > 0 {
		gaps = make([]uint16, n*each+len(r.resets)*len(r.start))
		for i, g := range r.ep.Drive.Gaps {
			at := i * each
			for _, x := range r.resets {
				if x.After <= i {
					at += len(r.start)
				}
			}
			gaps[at] = g
		}
	}
	return resets, gaps
}

// item gives the next item.
func (r *reads) item(it *stim.Item) bool {
	for {
		switch {
		case len(r.due) > 0:
			words := r.words(len(it.Words))
			d := r.due[0]
			r.due = r.due[1:]
			r.access.Kind.Set(words, d.kind)
			if !d.own {
				r.access.Addr.Set(words, d.addr)
			}
			if !d.own && d.kind == r.access.ReadConf && r.access.Bank != nil {
				r.access.Bank.Set(words, d.bank)
			}
			*it = stim.Item{Words: words}
			r.marks = append(r.marks, false)
			return true
		case r.begun < len(r.resets) && r.resets[r.begun].After <= r.given:
			r.begun++
			r.due = r.start
			r.base = make([]uint64, len(it.Words))
		default:
			if !r.ep.NextItem(it) {
				return false
			}
			r.given++
			r.base = append(r.base[:0], it.Words...)
			r.due = r.after
			r.marks = append(r.marks, true)
			return true
		}
	}
}

// words returns a copy of the event before, which stays for as long as a driver may need it.
func (r *reads) words(n int) []uint64 {
	w := &r.store[r.at]
	if r.at = (r.at + 1) % len(r.store); *w == nil {
		*w = make([]uint64, n)
	}
	copy(*w, r.base)
	return *w
}

// accepted takes note that the oldest item given was accepted, and returns whether it is one of the episode's own.
func (r *reads) accepted() (own bool) {
	own = r.marks[0]
	r.marks = r.marks[1:]
	return own
}
