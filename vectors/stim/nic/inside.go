package nic

import (
	"math"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
)

// part is an episode of a block inside, rewritten for the ports of the NIC item by item.
type part struct {
	suite  *stim.Suite
	params map[string]int
	lane   []uint8 // the NIC's stream of each of the block's, as a set
	put    func(it *stim.Item) bool

	ep    *stim.Episode
	it    stim.Item
	words []uint64
	left  int   // items before the block's own reset
	wait  uint8 // of items that were left out
	gap   uint16
}

// sets of the NIC's input streams.
const (
	onRx  = 1 << laneRx
	onCmd = 1 << laneCmd
)

// newPart returns a part without an episode. put appends what becomes of an item and reports whether there is any.
func newPart(su *stim.Suite, params map[string]int, lane []uint8, put func(it *stim.Item) bool) *part {
	words := event.NewLayout(su.Schema).In.Words
	return &part{suite: su, params: params, lane: lane, put: put, words: make([]uint64, words)}
}

// begin draws the part's next episode, which ends before a reset in its middle.
func (p *part) begin(r *stim.Rand) {
	src, err := p.suite.Open("random/0", stim.Options{Seed: r.U64(), Params: p.params})
	if err != nil {
		panic(err) // a suite without a random source
	}
	p.ep, _ = src.Next()
	p.left, p.wait, p.gap = math.MaxInt, 0, 0
	for _, x := range p.ep.Drive.Resets {
		if x.After > 0 {
			p.left = min(p.left, x.After)
		}
	}
}

// next appends the next item, a packet whole, and reports whether there was one.
func (p *part) next(s *script) bool {
	if p.ep == nil {
		return false
	}
	for {
		p.it.Words = p.words
		if p.left <= 0 || !p.ep.NextItem(&p.it) {
			p.ep = nil
			return false
		}
		p.left--
		first := s.Used
		if !p.put(&p.it) {
			p.wait, p.gap = p.wait|p.waits(), max(p.gap, p.it.Gap)
			continue
		}
		it := &s.Items[first]
		it.Wait, it.Gap = it.Wait|p.waits()|p.wait, max(p.it.Gap, p.gap)
		p.wait, p.gap = 0, 0
		for p.it.More {
			p.it.Words = p.words
			if !p.ep.NextItem(&p.it) {
				break
			}
			p.put(&p.it)
		}
		return true
	}
}

// waits returns what the item waits for.
func (p *part) waits() (w uint8) {
	if p.it.Wait == stim.WaitAll {
		return stim.WaitAll
	}
	for i, set := range p.lane {
		if p.it.Wait>>i&1 != 0 {
			w |= set
		}
	}
	return w
}

// rx appends a beat of a block that takes packets.
func (s *script) rx(x nic.Rx, more bool) {
	nic.PackRx(&x, s.Put(laneRx, 0))
	if more {
		s.More()
	}
}

// The parts of a random episode.

func (m *mix) parserPart() *part {
	return newPart(m.inside.Ackparse, nil, []uint8{onRx, onCmd}, func(it *stim.Item) bool {
		if it.Lane == 0 {
			var x ackparse.Rx
			ackparse.UnpackRx(it.Words, &x)
			m.rx(nic.Rx{Data: x.Data, Keep: x.Keep, Last: x.Last, Tag: x.Tag}, it.More)
			return true
		}
		var x ackparse.Cfg
		ackparse.UnpackCfg(it.Words, &x)
		m.cmd(nic.Cmd{Target: nic.TargetParser, Kind: uint8(x.Kind), Addr: x.Addr | m.sixth(),
			Data: uint64(x.Data) | m.high(), Index: uint16(m.high() >> 40)})
		return true
	})
}

func (m *mix) destinationPart() *part {
	return newPart(m.inside.Ackgen, map[string]int{"Pdcs": m.Params["Receives"]}, []uint8{onRx, onCmd},
		func(it *stim.Item) bool {
			if it.Lane == 0 {
				var x ackgen.Rx
				ackgen.UnpackRx(it.Words, &x)
				m.rx(nic.Rx{Data: x.Data, Keep: x.Keep, Last: x.Last, Tag: x.Tag}, it.More)
				return true
			}
			var x ackgen.Cfg
			ackgen.UnpackCfg(it.Words, &x)
			m.cmd(nic.Cmd{Target: nic.TargetDestination, Kind: uint8(x.Kind), Index: x.PDC, Addr: x.Addr,
				Data: uint64(x.Data) | m.high()})
			return true
		})
}

// sourcePart is most of what the NIC sends. The views of its episodes are left out, because ccc decides. Their waits
// stay: they are the time that a packet takes.
func (m *mix) sourcePart() *part {
	return newPart(m.inside.Txpdc, map[string]int{"Contexts": m.Params["Contexts"]}, []uint8{onCmd, onRx, 0},
		func(it *stim.Item) bool {
			switch it.Lane {
			case 0:
				var x txpdc.Cmd
				txpdc.UnpackCmd(it.Words, &x)
				m.command(&x)
				return true
			case 1:
				var x txpdc.Rec
				txpdc.UnpackRec(it.Words, &x)
				m.record(m.acks(), &x, 0)
				return true
			}
			if m.hasty {
				it.Wait, it.Gap = 0, 0
			}
			return false
		})
}

func (m *mix) windowPart() *part {
	params := map[string]int{"NumContexts": m.Params["Contexts"], "NumPdcs": nic.Slots, "NumProfiles": nic.Profiles}
	return newPart(m.inside.Ccc, params, []uint8{onCmd}, func(it *stim.Item) bool {
		var x ccc.Event
		ccc.UnpackEvent(it.Words, &x)
		switch x.Kind {
		case ccc.KindOpen, ccc.KindClose, ccc.KindLoad:
			if m.Rand.N(256) >= m.wild {
				return false
			}
		case ccc.KindCfgWrite:
			if m.Rand.N(256) >= m.wild || int(x.Addr) == ccc.RegCtrl && !m.Rand.One(8) {
				return false
			}
		case ccc.KindRead, ccc.KindCfgRead:
		default: // not for a host
			if !m.Rand.One(24) {
				return false
			}
		}
		m.cmd(nic.Cmd{Target: nic.TargetWindow, Kind: uint8(x.Kind), Index: x.Ctx, Slot: x.PDC, Profile: x.Profile,
			Addr: x.Addr | m.sixth(), Data: x.Data, PSN: uint32(m.high() >> 32)})
		return true
	})
}

func (m *mix) timesPart() *part {
	params := map[string]int{"NumPdcs": nic.Slots * m.Params["Contexts"], "Depth": nic.Window}
	return newPart(m.inside.Txstate, params, []uint8{onCmd}, func(it *stim.Item) bool {
		var x txstate.Event
		txstate.UnpackEvent(it.Words, &x)
		data := x.Now | uint64(stim.Bit(x.LoadValid))<<48 | uint64(x.LoadRtxCount)<<49 | m.high()&^(1<<52-1)
		switch x.Kind {
		case txstate.KindLoad, txstate.KindRead:
		case txstate.KindCfgWrite:
			data = data&^7 | uint64(x.TimeShift)
		default:
			if !m.Rand.One(12) {
				return false
			}
		}
		m.cmd(nic.Cmd{Target: nic.TargetTimes, Kind: uint8(x.Kind) | uint8(stim.Bit(m.Rand.One(60)))<<3, Index: x.PDC,
			PSN: x.PSN, Data: data, Addr: uint8(m.high() >> 58)})
		return true
	})
}

// high draws bits of data above those that a part takes; in some episodes there are none.
func (m *mix) high() uint64 {
	if !m.noise {
		return 0
	}
	return m.Rand.U64() << 32
}

// sixth draws, seldom, the bit of an address that no part but two has.
func (m *mix) sixth() uint8 { return uint8(stim.Bit(m.Rand.One(80))) << 5 }
