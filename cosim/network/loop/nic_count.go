package loop

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// counted are counters of the blocks inside, over all NICs of a run.
type counted struct {
	source      [txpdc.NumWords]uint64
	destination [ackgen.NumWords]uint64
	parser      [ackparse.NumWords]uint64
	writer      [port.NumWords]uint64
}

// first words of each block that are counters.
const firstSource, firstDestination, firstParser, firstWriter = txpdc.WordSent, ackgen.WordFrames,
	ackparse.WordFrames, port.WordUnaddressed

// add adds the counters of another NIC.
func (x *counted) add(o *counted) {
	for _, p := range [][2][]uint64{{x.source[:], o.source[:]}, {x.destination[:], o.destination[:]},
		{x.parser[:], o.parser[:]}, {x.writer[:], o.writer[:]}} {
		for i, v := range p[1] {
			p[0][i] += v
		}
	}
}

// count reads the counters of a NIC whose network is at its end. Nothing may leave meanwhile.
func (n *hostNIC) count(all *counted) error {
	var got []uint64
	read := func(target port.Target, kind uint8, first int, words []uint64) {
		for addr := first; addr < len(words); addr++ {
			n.host.put(port.Cmd{Target: target, Kind: kind, Addr: uint8(addr)})
		}
	}
	n.host.read = func(v uint64) { got = append(got, v) }
	read(port.TargetSource, uint8(txpdc.KindRead), firstSource, all.source[:])
	read(port.TargetDestination, uint8(ackgen.KindRead), firstDestination, all.destination[:])
	read(port.TargetParser, uint8(ackparse.KindRead), firstParser, all.parser[:])
	read(port.TargetWriter, writerRead, firstWriter, all.writer[:])
	for limit := 100 * len(n.host.queue); len(n.host.queue) > 0; limit-- {
		if limit == 0 {
			return fmt.Errorf("%d counters are not read", len(n.host.queue))
		}
		if err := n.step(true); err != nil {
			return err
		}
		if n.out[0]&leavingValids != 0 {
			return errors.New("something leaves after the end")
		}
	}
	for _, x := range []struct {
		first int
		words []uint64
	}{{firstSource, all.source[:]}, {firstDestination, all.destination[:]}, {firstParser, all.parser[:]},
		{firstWriter, all.writer[:]}} {
		for addr := x.first; addr < len(x.words); addr++ {
			x.words[addr] = got[0]
			got = got[1:]
		}
	}
	return nil
}

// same returns an error unless what the NICs have counted is what the network has carried.
func (x *counted) same(c *account.Counters) error {
	data := c.Delivered + c.Duplicates + c.TrimsArrived + c.OutOfRange
	feedback := c.Acks + c.Nacks
	d, s, p := &x.destination, &x.source, &x.parser
	drops := uint64(0)
	for addr := ackgen.WordTruncated; addr < ackgen.WordAccepted; addr++ {
		drops += d[addr]
	}
	for _, e := range []struct {
		what      string
		want, got uint64
	}{
		{"packets sent", c.NewPackets + c.Retransmits, s[txpdc.WordSent]},
		{"packets resent", c.Retransmits, s[txpdc.WordResends]},
		{"losses inferred", c.InferredLosses, s[txpdc.WordLosses]},
		{"packets and CLOSEs written", c.NewPackets + c.Retransmits + c.Closes, x.writer[port.WordWritten]},
		{"packets without an address", 0, x.writer[port.WordUnaddressed]},
		{"packets accepted", c.Delivered, d[ackgen.WordAccepted]},
		{"duplicates", c.Duplicates + c.DupTrims, d[ackgen.WordDuplicates]},
		{"answers", c.CtlSent - c.Closes, d[ackgen.WordAcks] + d[ackgen.WordAckCcs] + d[ackgen.WordNacks]},
		{"frames that arrived", data + feedback + c.ClosesArrived, d[ackgen.WordFrames]},
		{"feedback that is not the destination's", feedback, d[ackgen.WordOtherType]},
		{"frames that the destination drops", feedback, drops},
		{"frames before the parser", data + feedback + c.ClosesArrived, p[ackparse.WordFrames]},
		{"ACKs that arrived", c.Acks, p[ackparse.WordAcks] + p[ackparse.WordAckCcs]},
		{"NACKs that arrived", c.Nacks, p[ackparse.WordNacks]},
		{"records", feedback + c.ClosesArrived, s[txpdc.WordAcks] + s[txpdc.WordNacks] + s[txpdc.WordStale] +
			s[txpdc.WordStray]},
	} {
		if e.want != e.got {
			return fmt.Errorf("%s: the network has %d, and the NICs count %d", e.what, e.want, e.got)
		}
	}
	return nil
}
