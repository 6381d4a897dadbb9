package txpdc

import (
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// timeCases are about time, ports, jobs, registers, counters and resets.
func timeCases(add adder) {
	add("timer/edges", "packets and CLOSEs about every timeout, with time that stands still", func(s *script) {
		s.reg(txpdc.RegTick, 1<<16-1)
		s.reg(txpdc.RegRto, 5)
		s.reg(txpdc.RegTries, 15)
		now := uint32(s.sweep() + 4) // it stands some cycles after
		n := min(s.pdcs(), 32)
		for tries := range uint32(16) {
			for kind := range uint32(3) { // sent once, resent, closing
				since := now - 5<<min(tries, 6)
				for k := range n {
					s.load(k, txpdc.WordValid, 0)
					s.load(k, txpdc.WordOutstanding, min(2-kind, 1))
					s.load(k, txpdc.WordMarked0, 0)
					s.load(k, txpdc.WordResent0, kind)
					s.row(k, 0, uint32(k), since+uint32(k%8))
					s.load(k, txpdc.WordClosedAt, since+uint32(k%8))
					s.load(k, txpdc.WordValid, 1|kind>>1<<txpdc.WordClosingLSB|tries<<txpdc.WordTriesLSB)
				}
				s.cmd(txpdc.KindCfgRead, 0, txpdc.RegTick, 0, 0)
				s.after(txpdc.TimerGap * s.pdcs())
			}
		}
	})
	add("timer/places", "the lowest that was sent once and the lowest that was resent, in each place", func(s *script) {
		s.reg(txpdc.RegTries, 15)
		for i := range 40 {
			s.window(0, uint32(i)*999, txpdc.Window, 0)
			once, again := i*3%txpdc.Window, (i*29+5)%txpdc.Window
			var flight set
			for k := range txpdc.Window {
				flight.put(k, k == once || k == again || k > 120)
			}
			for k := range flight {
				s.load(0, txpdc.WordMarked0+k, ^flight[k])
			}
			s.load(0, txpdc.WordResent0+again/32, 1<<(again%32))
			s.row(0, uint32(i*999+once), 1, uint32(i%2)<<31)
			s.row(0, uint32(i*999+again), 2, uint32(i/2%2)<<31)
			s.reg(txpdc.RegRto, 1<<20>>(i%3*10))
			s.cmd(txpdc.KindCfgRead, 0, txpdc.RegRto, 0, 0)
			s.after(2 * txpdc.TimerGap * s.pdcs())
			s.reg(txpdc.RegRto, 1<<24-1)
		}
	})
	add("timer/retire", "a PDC that stopped with each number of packets outstanding", func(s *script) {
		for i, n := range []int{0, 1, 2, 31, 64, 65, 127, 128} {
			for _, marked := range []uint32{0, ^uint32(0), 0x5a5a5a5a} {
				s.window(0, uint32(i), n, 0)
				s.all(0, txpdc.WordMarked0, marked)
				s.load(0, txpdc.WordAcked0+1, 0xf0f0f0f0)
				s.load(0, txpdc.WordSum, stim.Pick(&s.Rand, ^uint32(0), 255, 256, 257, uint32(s.Rand.Bits(32))))
				s.row(0, uint32(i), 1<<16-1, 0)
				s.load(0, txpdc.WordValid, 1|1<<txpdc.WordStoppedLSB|uint32(i)<<txpdc.WordTriesLSB)
				s.cmd(txpdc.KindClose, 0, 0, 0, 0)
				s.cmd(txpdc.KindCfgRead, 0, 0, 0, 0)
				s.after(txpdc.TimerGap*s.pdcs() + 150)
				s.reads(0, 0, 0)
				s.cmd(txpdc.KindClose, 0, 0, 0, 0)
			}
		}
	})
	add("timer/ticks", "ticks of every length, made shorter in their middle", func(s *script) {
		s.window(0, 0, 0, 0)
		s.load(0, txpdc.WordLeft, 1<<31-1)
		for i := range 60 {
			s.reg(txpdc.RegTick, uint32(1+i*i*7%300))
			s.Gap(i)
			s.send(0, true)
			s.after(i)
		}
	})
	add("host/access", "every address with every kind, values at the ends", func(s *script) {
		n := s.pdcs()
		for k := range 16 {
			for a := range 32 {
				for i, v := range []uint32{0, 1, 128, 129, 1 << 31, ^uint32(0)} {
					s.cmd(txpdc.Kind(k), []int{0, n - 1, n, 1<<16 - 1, 1}[(a+i)%5], a, v*5, v)
				}
			}
		}
	})
	add("host/states", "every command in every state of a PDC", func(s *script) {
		for state := range uint32(16) {
			for more := range 4 {
				for _, k := range []txpdc.Kind{txpdc.KindOpen, txpdc.KindMessage, txpdc.KindClose} {
					s.load(5, txpdc.WordOutstanding, uint32(more&1))
					s.load(5, txpdc.WordLeft, uint32(more>>1))
					s.load(5, txpdc.WordRcvd, 1+state)
					s.load(5, txpdc.WordSum, state<<8+uint32(more*85))
					s.load(5, txpdc.WordValid, state|peerOf<<txpdc.WordPeerLSB)
					s.cmd(k, 5, 0, 0, 40)
					s.cmd(txpdc.KindRead, 5, txpdc.WordValid, 0, 0)
				}
			}
		}
	})
	add("counters/wrap", "every counter over 2^32", func(s *script) {
		s.reg(txpdc.RegRto, 1)
		for a := txpdc.WordSent; a < txpdc.NumWords; a++ {
			s.load(0, a, ^uint32(0))
		}
		s.window(0, 0, 20, 0)
		s.load(0, txpdc.WordLeft, 1<<20)
		for i := range 20 {
			s.send(0, true)
			s.alone(ack(0, uint32(i)))
			s.alone(ack(0, 1<<30))
			s.alone(ack(1, 0))
			r := ack(0, uint32(i+2))
			r.PdsType = txpdc.PdsTypeNack
			s.alone(r)
		}
		s.Gap(60)
	})
	add("wide/items", "more than 2^17 commands and records in one episode", func(s *script) {
		s.window(0, 0, 128, 0)
		for i := range 1<<16 + 20 {
			s.rec(ack(0, uint32(i%100)))
			s.cmd(txpdc.KindRead, 0, txpdc.WordUna, 0, 0)
		}
	})
	add("ports/together", "any of the inputs and both outputs in one cycle", func(s *script) {
		for i := range 800 {
			for range 2 {
				s.cmd(txpdc.KindOpen, 0, 0, 0, uint32(i))
				s.cmd(txpdc.KindClose, 0, 0, 0, 0)
			}
			s.cmd(txpdc.KindRead, 0, 0, 0, 0)
			s.after(0)
			gap := 10 + i%13
			for k, put := range []func(){func() { s.rec(ack(0, 0)) }, func() { s.send(0, true) },
				func() { s.cmd(txpdc.KindRead, 0, 0, 0, 0) }} {
				if i>>k&1 == 0 {
					put()
					s.Items[s.Used-1].Wait = 1 << laneCmd // the last of that lane waits for none
					s.Gap(gap)
				}
			}
		}
		s.Gates(lanes, outs, stim.Gate{}, stim.Density(200))
	})
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		add("ports/"+name, "messages, packets and records with waits at the ports", func(s *script) {
			s.busy(200)
			s.Gates(lanes, outs, idle, stall)
		})
	})
	add("ports/act-held", "actions that nobody takes hold every job but views", func(s *script) {
		s.busy(200)
		s.Gates(lanes, 1, stim.Gate{}, stim.Bursts(20, 400))
	})
	add("ports/rsp-held", "responses that nobody takes hold commands alone", func(s *script) {
		s.busy(200)
		s.Drive.StallMore = append(s.Drive.StallMore, stim.Bursts(20, 400))
	})
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		add(name, "a reset with jobs, a list, time and items everywhere", func(s *script) {
			s.busy(40)
			s.Interrupt(r, held, lanes, outs, stim.Bursts(1, 200))
		})
	})
	add("reset/every-cycle", "a reset at every distance from each job: what it left is gone", func(s *script) {
		s.ResetsAmong(16, func() {
			s.load(0, txpdc.WordLeft, 1<<20)
			s.load(0, txpdc.WordValid, 3)
			s.send(0, true)
			s.rec(ack(0, 0))
		})
	})
}

// busy opens PDCs of two contexts and keeps them sending and acknowledged.
func (s *script) busy(n int) {
	s.reg(txpdc.RegRto, 900)
	pdcs := []int{0, 1, 4}
	for _, k := range pdcs {
		s.cmd(txpdc.KindOpen, k, 0, 0, 0)
		s.cmd(txpdc.KindMessage, k, 0, 0, 1<<24)
	}
	for i := range n {
		s.send(i%2, true)
		switch i % 4 {
		case 1:
			s.rec(ack(pdcs[i%3], uint32(i/9)))
		case 2:
			s.cmd(txpdc.KindRead, pdcs[i%3], txpdc.WordOutstanding, 0, 0)
		case 3:
			r := ack(pdcs[i%3], uint32(i/7))
			r.PdsType, r.NackCode = txpdc.PdsTypeNack, 1
			s.rec(r)
		}
	}
}
