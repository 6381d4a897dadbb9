package credit

import (
	"embed"
	"fmt"

	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of credit are read.
var language = casefile.Language{Block: credit.Schema(), Answers: map[string]string{"ev": "rsp"}, Unasked: "pull"}

var scenarios = casefile.Embedded(files, language.Read)

// cases returns the directed cases of credit. The answers of those in Go are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, End: (*script).readBack}
	c.Text("")
	open := func(s *script, start uint32, senders ...int) {
		for _, k := range senders {
			s.event(credit.KindOpen, k, 0, start&numbers)
		}
	}
	c.Add("pull/turns", "senders with demands of every size take turns, up to their targets", func(s *script) {
		n := min(s.Params["Senders"], 9)
		for k := range n {
			open(s, uint32(k)*1000, k)
		}
		for k := range n {
			s.event(credit.KindTarget, k, 0, uint32(k)*1000+[]uint32{1, 62, 63, 64, 126, 127, 500, 0, 189}[k])
		}
		s.rest(9000)
	})
	c.Add("pull/slow", "slow pulls end with the window, and at once where something is wanted", func(s *script) {
		for i, w := range []uint32{0, 1, 62, 63, 64, 126, 127, 300} {
			s.reg(credit.RegWindow, w)
			k := i % s.Params["Senders"]
			s.event(credit.KindClose, k, 0, 0)
			open(s, numbers-40, k)
			s.event(credit.KindTarget, k, 0, 3)
			s.rest(3000)
		}
	})
	c.Add("pull/window", "windows with one bit set, and all of them", func(s *script) {
		s.reg(credit.RegQuanta, 255)
		s.reg(credit.RegGap, 1)
		for bit := range 17 {
			s.reg(credit.RegWindow, (1<<bit-uint32(bit/16))&0xffff)
			k := bit % s.Params["Senders"]
			s.event(credit.KindClose, k, 0, 0)
			open(s, 0, k)
			s.event(credit.KindTarget, k, 0, 3)
			s.rest(2500)
		}
	})
	about := "targets that rise by every amount while a sender is in the idle list"
	c.Add("pull/demand-while-slow", about, func(s *script) {
		s.reg(credit.RegQuanta, 4)
		s.reg(credit.RegGap, 1<<14)
		open(s, 0, 0, 1)
		at := uint32(0)
		for i := range 120 {
			at += uint32(i%9 + 1)
			s.event(credit.KindTarget, i%2, 0, at)
			s.Gap(i * 7 % 60)
		}
	})
	c.Add("pull/empty", "requests for credit without a demand", func(s *script) {
		s.reg(credit.RegGap, 1<<17)
		open(s, 77, 0, 1)
		for i := range 40 {
			s.event(credit.KindWant, i%2, 0, 0)
			s.Gap(i)
		}
	})
	for _, gap := range []uint32{1, 1 << 15, 1<<16 - 1, 1 << 16, 1<<16 + 1, 338934, 1<<20 + 77} {
		c.Add(fmt.Sprintf("gap/%d", gap), "pulls under one rate, with events among them at every distance", func(s *script) {
			s.reg(credit.RegGap, gap)
			s.reg(credit.RegQuanta, 3)
			open(s, 0, 0, 1)
			for k := range 2 {
				s.event(credit.KindTarget, k, 0, 240)
			}
			for d := range 60 {
				s.event(credit.KindRead, 0, credit.WordGranted, 0)
				s.Gap(d)
			}
			s.rest(int(min(60000, 500*gap>>16)))
		})
	}
	c.Add("gap/late", "pulls that are late by every number of cycles, held by their output", func(s *script) {
		s.reg(credit.RegQuanta, 1)
		s.reg(credit.RegGap, 20<<16+1<<15)
		open(s, 0, 0)
		s.event(credit.KindTarget, 0, 0, 900)
		s.rest(20000)
		s.Gates(1, 2, stim.Gate{}, stim.Bursts(60, 300))
	})
	c.Add("gap/idle", "a pacer that had nothing to do does not save up time", func(s *script) {
		s.reg(credit.RegQuanta, 1)
		s.reg(credit.RegWindow, 0)
		s.reg(credit.RegGap, 9<<16)
		open(s, 0, 0)
		for d := range 90 {
			s.event(credit.KindTarget, 0, 0, uint32(6*d+6))
			s.Gap(60 + d)
		}
	})
	c.Add("wrap/numbers", "targets and grants about 2^24, and targets half the range away", func(s *script) {
		s.reg(credit.RegGap, 1<<13)
		for i, d := range []uint32{1, 2, 63, 64, 1<<23 - 2, 1<<23 - 1, 1 << 23, 1<<23 + 1, numbers, numbers - 1, 0} {
			k := i % s.Params["Senders"]
			s.event(credit.KindClose, k, 0, 0)
			open(s, numbers-uint32(i), k)
			s.event(credit.KindTarget, k, 0, (numbers-uint32(i)+d)&numbers)
			s.rest(80)
			s.event(credit.KindTarget, k, 0, (numbers-uint32(i)-5)&numbers)
			s.event(credit.KindClose, k, 0, 0)
		}
	})
	c.Add("lists/full", "every sender in both lists, and closed there", func(s *script) {
		n := min(s.Params["Senders"], 600)
		s.reg(credit.RegWindow, 1<<16-1)
		s.reg(credit.RegGap, 1<<12)
		for k := range n {
			open(s, 0, k)
			s.event(credit.KindWant, k, 0, 0)
		}
		s.rest(6 * n)
		s.reg(credit.RegGap, 1<<24-1)
		for k := range n {
			s.event(credit.KindWant, k, 0, 0)
		}
		s.event(credit.KindRead, 0, credit.WordActives, 0)
		for k := range n {
			if k%3 > 0 {
				s.event(credit.KindClose, k, 0, 0)
			}
		}
		s.reg(credit.RegGap, 1<<12)
		s.rest(20 * n)
		for k := range n {
			open(s, 5, k)
			s.event(credit.KindTarget, k, 0, 70)
		}
		s.rest(20 * n)
	})
	c.Add("events/access", "every address with every kind, values at the ends", func(s *script) {
		n := s.Params["Senders"]
		open(s, 9, 0)
		for k := range 16 {
			for a := range 16 {
				for i, v := range []uint32{0, 1, 255, 256, 1 << 24, ^uint32(0)} {
					s.event(credit.Kind(k), []int{0, n - 1, n, 1<<16 - 1, 1}[(a+i)%5], a, v)
				}
			}
		}
	})
	c.Add("events/closed", "every event to a sender that is not open, or open already", func(s *script) {
		for k := range min(s.Params["Senders"], 8) {
			for _, e := range []credit.Kind{credit.KindClose, credit.KindTarget, credit.KindWant, credit.KindOpen,
				credit.KindOpen, credit.KindWant, credit.KindWant, credit.KindClose, credit.KindTarget} {
				s.event(e, k, 0, 5)
			}
		}
	})
	c.Add("counters/wrap", "every counter over 2^32, loads in the cycles of a count", func(s *script) {
		s.reg(credit.RegGap, 1<<12)
		s.reg(credit.RegQuanta, 2)
		for a := credit.WordEvents; a < credit.NumWords; a++ {
			s.event(credit.KindLoad, 0, a, ^uint32(0))
		}
		open(s, 0, 0, 1)
		s.event(credit.KindWant, 1, 0, 0)
		s.event(credit.KindTarget, 0, 0, 9)
		s.event(credit.KindClose, 1, 0, 0)
		for d := range 120 {
			s.event(credit.KindTarget, 0, 0, uint32(10+4*d))
			s.event(credit.KindLoad, 0, credit.WordPulls+d%4, uint32(d))
			s.Gap(d % 17)
		}
	})
	c.Add("wide/events", "more than 2^17 events in one episode", func(s *script) {
		open(s, 0, 0)
		for i := range 1<<17 + 40 {
			s.event(credit.KindTarget, 0, 0, uint32(i))
		}
	})
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		c.Add("ports/"+name, "events and pulls with waits at the ports", func(s *script) {
			s.reg(credit.RegGap, 1<<14)
			open(s, 0, 0, 1)
			for i := range 200 {
				s.event(credit.KindTarget, i%2, 0, uint32(50*i))
			}
			s.Gates(1, 2, idle, stall)
		})
	})
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		c.Add(name, "a reset with lists, a pull under way and events everywhere", func(s *script) {
			s.reg(credit.RegGap, 1<<14)
			open(s, 0, 0, 1)
			for i := range 14 {
				s.event(credit.KindTarget, i%2, 0, uint32(300*i))
			}
			s.Interrupt(r, held, 1, 2, stim.Bursts(1, 200))
		})
	})
	c.Add("reset/every-cycle", "a reset at every distance from a pull: what it left is gone", func(s *script) {
		s.ResetsAmong(24, func() {
			s.reg(credit.RegQuanta, 2)
			s.reg(credit.RegGap, 1<<16)
			open(s, 0, 0, 1)
			s.event(credit.KindTarget, 0, 0, 50)
			s.event(credit.KindWant, 1, 0, 0)
		})
	})
	return c.All
}
