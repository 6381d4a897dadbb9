package ackparse

import (
	"embed"

	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/edge"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

//go:embed directed/*.txt
var files embed.FS

// language is how the scenarios of ackparse are read.
var language = casefile.Language{
	Block:   ackparse.Schema(),
	Answers: map[string]string{"rx": "rec", "cfg": "cfgr"},
	Aliases: map[string]string{"packet": "rx"},
	Tag:     "tag",
	Begin:   casefile.OwnTags,
	Send: func(sc *stim.Script, p *casefile.Packet) {
		on(sc).send(p.Data, uint32(p.Fields["tag"]), p.Empty, p.Wait)
	},
}

var scenarios = casefile.Embedded(files, language.Read)

// cases returns the directed cases of ackparse. Those in Go draw what they send, or sweep bits, lengths and distances
// in time by the hundred; their answers are left to the model.
func cases() []stim.Case {
	c := casefile.Directed[*script]{Scenarios: scenarios(), On: on, End: (*script).readBack}
	c.Text("")
	below := edge.Block{Kinds: kinds, Longest: frame.AckCC, Header: header, Native: reset.native,
		Send: func(sc *stim.Script, data []byte, tag uint32, empty bool, wait uint8) {
			on(sc).send(data, tag, empty, wait)
		}}
	below.Cases(func(name, doc string, write func(s *stim.Script)) {
		c.Add(name, doc, func(s *script) { write(s.Script.Script) })
	})
	timeCases(c.Add)
	return c.All
}

// header returns a good header of a type with numbers of its own.
func header(kind uint8, n int) frame.PDS {
	p := frame.PDS{Type: kind, Short: uint16(n), PSN: uint32(n) * 0x01010101, SPDCID: uint16(n) | 1,
		DPDCID: uint16(n)<<8 | 1, CCFlags: uint8(n) & 15, MPR: uint8(n), SACKOffset: uint16(-n),
		SACK: uint64(n) * 0x0102040810204081, Payload: uint32(n)}
	size := map[uint8]int{frame.AckCC: 8, frame.AckCCX: reset.ack, frame.NackCCX: reset.nack}[kind]
	for i := range size {
		p.State = append(p.State, uint8(n+i))
	}
	return p
}

// timeCases are about ports, registers, counters and resets.
func timeCases(add func(name, doc string, write func(s *script))) {
	packet := func(s *script, n int, wait uint8) {
		f := frame.Good(0, n%3 == 0, 0).With(header(kinds[n%len(kinds)], n))
		f.BadSum = n%11 == 10
		f.Body += n % 70
		s.send(f.Bytes(&s.Rand, nil), uint32(n), false, wait)
	}
	// ack is a packet of one beat that is passed on.
	ack := func(s *script, n int, wait uint8) {
		f := frame.Good(0, false, 0).With(header(frame.Ack, n))
		s.send(f.Bytes(&s.Rand, nil), uint32(n), false, wait)
	}
	add("full-rate/one-beat", "packets of one beat in every cycle, passed on and dropped", func(s *script) {
		for i := range 400 {
			f := frame.Good(0, false, 0)
			p := header(kinds[i%2*3], i) // ACK and NACK
			if f.WithPDS(&p); i%7 == 3 {
				f.DstPort = 1
			}
			s.send(f.Bytes(&s.Rand, nil), uint32(i), false, 0)
		}
	})
	add("full-rate/mixed", "packets of one to five beats in every order", func(s *script) {
		for i := range 400 {
			packet(s, s.Rand.N(6)+i, 0)
		}
	})
	add("beats/keep", "a last beat whose keep has a single zero", func(s *script) {
		for k := range 64 {
			f := frame.Good(0, k%2 == 0, 0).With(header(kinds[k%len(kinds)], k))
			f.Sized(128 + k%3)
			s.Beats(laneRx, 0, s.Bytes(&f), false, func(_ int, b *frame.Beat, words []uint64) {
				x := ackparse.Rx{Data: b.Data, Keep: b.Keep, Last: b.Last, Tag: uint32(k)}
				if b.Last {
					x.Keep = ^(uint64(1) << k)
				}
				ackparse.PackRx(&x, words)
			})
		}
	})
	add("cfg/access", "every address with every kind, values at the ends", func(s *script) {
		for k := range 16 {
			for a := range 32 {
				for _, v := range []uint32{0, 1, 16, 17, 20, 21, ^uint32(0), 1 << 5, 16 | 1<<16} {
					s.cfg(ackparse.Kind(k), a, v, 0)
				}
			}
		}
	})
	for _, reg := range []struct {
		name   string
		addr   int
		values [2]uint32
	}{{"udp-port", ackparse.RegUdpPort, [2]uint32{4793, 4792}}, {"native", ackparse.RegNative, [2]uint32{253, 17}},
		{"control", ackparse.RegControl, [2]uint32{0, 1}}, {"ack-state", ackparse.RegAckState, [2]uint32{16, 20}},
		{"nack-state", ackparse.RegNackState, [2]uint32{8, 16}}} {
		about := "a register written in every cycle before, at and after a packet's last beat"
		add("judged/write-"+reg.name, about, func(s *script) {
			for i := range 3 {
				for d := -6; d <= 12; d++ {
					for k := range 2 {
						f := frame.Good(i, i == 1, 0)
						p := header(map[string]uint8{"ack-state": frame.AckCCX, "nack-state": frame.NackCCX}[reg.name], i)
						if p.Type == 0 {
							p = header(frame.AckCC, i)
						}
						p.State = append(p.State, 1, 2, 3, 4, 5, 6)
						f.WithPDS(&p)
						if f.NoSum = true; reg.name == "native" {
							f.Native, f.Proto = true, reset.native
						}
						s.Skewed(40, d, func() {
							s.cfg(ackparse.KindCfgWrite, reg.addr, reg.values[(d+k)&1], stim.WaitAll)
						}, func() { s.send(s.Bytes(&f), uint32(d), false, stim.WaitAll) })
					}
				}
			}
		})
	}
	add("cfg/counters", "every counter over 2^32, loads and reads in the cycles of a count", func(s *script) {
		for a := range ackparse.NumWords {
			s.cfg(ackparse.KindLoad, a, ^uint32(0), 0)
		}
		everyReason(s)
		for d := range 30 {
			ack(s, d, stim.WaitAll)
			for range d {
				s.cfg(ackparse.KindCfgRead, 0, 0, 0)
			}
			s.cfg(ackparse.KindLoad, 0, uint32(d), 0)
			s.cfg(ackparse.KindRead, 0, 0, 0)
			s.cfg(ackparse.KindRead, 16, 0, 0)
		}
	})
	stim.EachWait(func(name string, idle, stall stim.Gate) {
		add("ports/"+name, "packets of all lengths with waits at the ports", func(s *script) {
			for i := range 120 {
				packet(s, i, 0)
				s.cfg(ackparse.KindRead, i%ackparse.NumWords, 0, 0)
			}
			s.Gates(2, 2, idle, stall)
		})
	})
	add("credits/held", "records wait until all credits are used, with dropped packets among them", func(s *script) {
		for i := range 90 {
			packet(s, i, 0)
			ack(s, i, 0)
		}
		s.Gates(2, 2, stim.Gate{}, stim.Bursts(40, 200))
	})
	stim.EachReset(func(name string, r stim.Reset, held bool) {
		add(name, "a reset in mid-packet and with packets everywhere", func(s *script) {
			s.cfg(ackparse.KindCfgWrite, ackparse.RegAckState, 3, 0)
			for i := range 14 {
				packet(s, i*5, 0)
			}
			s.Interrupt(r, held, 2, 2, stim.Bursts(1, 200))
		})
	})
	for _, g := range stim.ResetGates {
		add("reset/every-beat"+g.Suffix, "a reset after each beat of a packet, at every distance", func(s *script) {
			s.ResetsAmong(ackparse.Latency+4, func() {
				for i := range g.Packets {
					packet(s, 60+i, 0)
				}
			})
			s.Gates(2, 2, stim.Gate{}, g.Stall)
		})
	}
	add("reset/every-access", "a reset soon after an access: no answer, and what it wrote is gone", func(s *script) {
		s.ResetsAmong(ackparse.CfgLatency+4, func() {
			s.cfg(ackparse.KindCfgRead, ackparse.RegAckState, 0, 0)
			s.cfg(ackparse.KindCfgWrite, ackparse.RegAckState, 9, 0)
			s.cfg(ackparse.KindLoad, 0, 7, 0)
			s.cfg(ackparse.KindRead, 0, 0, 0)
		})
	})
	add("wide/packets", "more than 2^17 packets of one beat in one episode", func(s *script) {
		f := frame.Good(0, false, 0).With(header(frame.Ack, 3))
		b := f.Bytes(&s.Rand, nil)
		for i := range 1<<17 + 40 {
			s.send(b, uint32(i), false, 0)
		}
	})
}

// everyReason sends a packet for each reason to drop one, and one of each type.
func everyReason(s *script) {
	for i := range 15 + len(kinds) {
		f := frame.Good(0, false, 0)
		p := header(frame.AckCC, i)
		if i >= 15 {
			p = header(kinds[i-15], i)
		}
		f.WithPDS(&p)
		switch edge.Spoil(&f, i); i {
		case 10:
			f.PDS[0] = 2 << 3
		case 11:
			f.Body--
		case 12:
			f.PDS[12] = 0x20
		case 13:
			p = header(frame.Control, i)
			p.Next = 10
			f.WithPDS(&p)
		case 14:
			f.PDS[10], f.PDS[11] = 0, 0
		}
		s.send(f.Bytes(&s.Rand, nil), uint32(i), false, 0)
	}
}
