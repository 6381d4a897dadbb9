package nic

import (
	"math/bits"

	"github.com/stretchr/testify/require"

	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

const (
	high  = port.InRstN
	takes = port.InRstN | port.InTxReady | port.InIndReady | port.InNoteReady | port.InRspReady
)

// bench drives a model by its ports and collects what comes out.
type bench struct {
	tb     require.TestingT
	m      *Model
	in     [port.InWords]uint64
	out    [port.OutWords]uint64
	cycles int

	txs   []port.Tx // beats
	inds  []port.Ind
	notes []port.Note
	noted int // cycle of the newest note
	rsps  []port.Response
}

// newBench returns a bench whose model is up.
func newBench(tb require.TestingT, spec Spec) *bench {
	m, err := New(spec)
	require.NoError(tb, err)
	b := &bench{tb: tb, m: m}
	for !b.m.up() {
		b.cycle(nil, nil, takes)
	}
	return b
}

// cycle is a clock cycle in which a beat and a command are offered; it reports whether they are accepted.
func (b *bench) cycle(rx *port.Rx, cmd *port.Cmd, ctl uint64) (rxDone, cmdDone bool) {
	b.in = [port.InWords]uint64{ctl}
	if rx != nil {
		port.PackRx(rx, b.in[:])
		b.in[0] |= port.InRxValid
	}
	if cmd != nil {
		port.PackCmd(cmd, b.in[:])
		b.in[0] |= port.InCmdValid
	}
	b.m.Cycle(b.in[:], b.out[:])
	b.cycles++
	both := b.out[0]
	if both&port.OutTxValid != 0 && ctl&port.InTxReady != 0 {
		b.txs = append(b.txs, port.Tx{})
		port.UnpackTx(b.out[:], &b.txs[len(b.txs)-1])
	}
	if both&port.OutIndValid != 0 && ctl&port.InIndReady != 0 {
		b.inds = append(b.inds, port.Ind{})
		port.UnpackInd(b.out[:], &b.inds[len(b.inds)-1])
	}
	if both&port.OutNoteValid != 0 && ctl&port.InNoteReady != 0 {
		b.notes, b.noted = append(b.notes, port.Note{}), b.cycles
		port.UnpackNote(b.out[:], &b.notes[len(b.notes)-1])
	}
	if both&port.OutRspValid != 0 && ctl&port.InRspReady != 0 {
		b.rsps = append(b.rsps, port.Response{})
		port.UnpackResponse(b.out[:], &b.rsps[len(b.rsps)-1])
	}
	return rx != nil && both&port.OutRxReady != 0, cmd != nil && both&port.OutCmdReady != 0
}

// idle is n cycles in which nothing comes and everything is taken.
func (b *bench) idle(n int) {
	for range n {
		b.cycle(nil, nil, takes)
	}
}

// do executes a command and returns its response.
func (b *bench) do(c port.Cmd) port.Response {
	n := len(b.rsps)
	for sent := false; len(b.rsps) == n; {
		cmd := &c
		if sent {
			cmd = nil
		}
		_, done := b.cycle(nil, cmd, takes)
		sent = sent || done
	}
	return b.rsps[n]
}

// must executes a command that must work.
func (b *bench) must(c port.Cmd) uint64 {
	r := b.do(c)
	want := port.Response{Target: c.Target, Kind: c.Kind, Index: c.Index, PSN: r.PSN, Data: r.Data}
	require.Equal(b.tb, want, r, "%+v", c)
	return r.Data
}

// packets returns the frames that have left, without the bytes that do not count, and the first beat of each.
func (b *bench) packets() (frames [][]byte, firsts []port.Tx) {
	var now []byte
	for _, x := range b.txs {
		if now == nil {
			firsts = append(firsts, x)
		}
		n := bits.OnesCount64(x.Keep)
		require.Equal(b.tb, ^uint64(0)>>(64-n), x.Keep)
		require.True(b.tb, x.Last || n == 64)
		for i := range 64 {
			v := byte(x.Data[i/8] >> (8 * (i % 8)))
			if i < n {
				now = append(now, v)
			} else {
				require.Zero(b.tb, v)
			}
		}
		require.Equal(b.tb, firsts[len(firsts)-1].Tag, x.Tag)
		require.Equal(b.tb, firsts[len(firsts)-1].Answer, x.Answer)
		if x.Last {
			frames, now = append(frames, now), nil
		}
	}
	return frames, firsts
}

// beatsOf cuts a frame into beats.
func beatsOf(frame []byte, tag uint32) (out []port.Rx) {
	for i := range (len(frame) + 63) / 64 {
		x := port.Rx{Keep: ^uint64(0), Last: 64*i+64 >= len(frame), Tag: tag}
		for k := range min(64, len(frame)-64*i) {
			x.Data[k/8] |= uint64(frame[64*i+k]) << (8 * (k % 8))
		}
		if x.Last {
			x.Keep >>= 64*i + 64 - len(frame)
		}
		out = append(out, x)
	}
	return out
}

// v4 returns a template of Ethernet and IPv4 without options, with tags VLAN tags, from address from to address to.
func v4(tags int, native bool, from, to byte) (b []byte) {
	b = append(b, 2, 0, 0, 0, 0, to, 2, 0, 0, 0, 0, from)
	for range tags {
		b = append(b, 0x81, 0, 0, 7)
	}
	protocol := byte(17)
	if native {
		protocol = 253
	}
	ip := []byte{0x45, 2, 0, 0, 0, 1, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, from, 10, 0, 0, to}
	sum := uint32(0)
	for i := 0; i < 20; i += 2 {
		sum += uint32(ip[i])<<8 | uint32(ip[i+1])
	}
	for sum > 0xFFFF {
		sum = sum&0xFFFF + sum>>16
	}
	ip[10], ip[11] = byte(^sum>>8), byte(^sum)
	return append(append(b, 8, 0), ip...)
}

// v6 is the same for IPv6.
func v6(tags int, native bool, from, to byte) (b []byte) {
	b = append(b, 2, 0, 0, 0, 0, to, 2, 0, 0, 0, 0, from)
	for range tags {
		b = append(b, 0x81, 0, 0, 7)
	}
	next := byte(17)
	if native {
		next = 253
	}
	b = append(b, 0x86, 0xDD, 0x60, 0x20, 0, 0, 0, 0, next, 64)
	for _, a := range []byte{from, to} {
		b = append(b, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, a)
	}
	return b
}

// form returns the word of a form.
func form(size int, ipv6, native bool, entropy uint16) uint64 {
	w := port.Words{Size: uint8(size), Ipv6: ipv6, Native: native, Entropy: entropy}
	return w.Word(port.WordSize)
}

func words(kind ps.Kind, index, addr int, data uint64) port.Cmd {
	return port.Cmd{Target: port.TargetWriter, Kind: uint8(kind), Index: uint16(index), Addr: uint8(addr), Data: data}
}

// address gives a context a template.
func (b *bench) address(context int, bytes []byte, form uint64) {
	var all [16]uint64
	for i, v := range bytes {
		all[i/4] |= uint64(v) << (8 * (i % 4))
	}
	for i, v := range all {
		b.must(words(ps.KindLoad, context, i, v))
	}
	b.must(words(ps.KindLoad, context, port.WordSize, form))
}

func source(kind ps.Kind, pdc int, data uint32) port.Cmd {
	return port.Cmd{Target: port.TargetSource, Kind: uint8(kind), Index: uint16(pdc), Data: uint64(data)}
}

func window(kind pc.Kind, context int) port.Cmd {
	return port.Cmd{Target: port.TargetWindow, Kind: uint8(kind), Index: uint16(context)}
}

func register(target port.Target, addr int, data uint64) port.Cmd {
	kind := uint8(ps.KindCfgWrite)
	switch target {
	case port.TargetWindow:
		kind = uint8(pc.KindCfgWrite)
	case port.TargetDestination:
		kind = uint8(pg.KindCfgWrite)
	}
	return port.Cmd{Target: target, Kind: kind, Addr: uint8(addr), Data: data}
}
