package loop

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/rtlmodel/nic"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// mirror is the model of a NIC whose packets come back to itself, but for those that are lost.
type mirror struct {
	t       *testing.T
	r       *rand.Rand
	m       *nic.Model
	loss    int // percent
	beats   []port.Rx
	now     []byte
	answers [][]byte
	frames  [][]byte // requests and control packets
	notes   []port.Note
	rsps    []port.Response
}

// cycle is a clock cycle; it reports whether a command is accepted.
func (m *mirror) cycle(c *port.Cmd) (accepted bool) {
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	in[0] = port.InRstN | port.InTxReady | port.InIndReady | port.InNoteReady | port.InRspReady
	if c != nil {
		port.PackCmd(c, in[:])
		in[0] |= port.InCmdValid
	}
	if len(m.beats) > 0 {
		port.PackRx(&m.beats[0], in[:])
		in[0] |= port.InRxValid
	}
	m.m.Cycle(in[:], out[:])
	if len(m.beats) > 0 && out[0]&port.OutRxReady != 0 {
		m.beats = m.beats[1:]
	}
	if out[0]&port.OutNoteValid != 0 {
		var n port.Note
		port.UnpackNote(out[:], &n)
		m.notes = append(m.notes, n)
	}
	if out[0]&port.OutRspValid != 0 {
		var r port.Response
		port.UnpackResponse(out[:], &r)
		require.False(m.t, r.Refused || r.Missing, "%+v", r)
		m.rsps = append(m.rsps, r)
	}
	if out[0]&port.OutTxValid != 0 {
		var x port.Tx
		port.UnpackTx(out[:], &x)
		m.left(&x)
	}
	return out[0]&port.OutCmdReady != 0
}

// left takes a beat at tx.
func (m *mirror) left(x *port.Tx) {
	for i := range bits.OnesCount64(x.Keep) {
		m.now = append(m.now, byte(x.Data[i/8]>>(i%8*8)))
	}
	if !x.Last {
		return
	}
	f := m.now
	m.now = nil
	if x.Answer {
		m.answers = append(m.answers, f)
	} else {
		m.frames = append(m.frames, f)
	}
	if m.r.IntN(100) < m.loss {
		return
	}
	for len(f) > 0 {
		n := min(64, len(f))
		b := port.Rx{Keep: ^uint64(0) >> (64 - n), Last: n == len(f)}
		for i, v := range f[:n] {
			b.Data[i/8] |= uint64(v) << (i % 8 * 8)
		}
		m.beats, f = append(m.beats, b), f[n:]
	}
}

// do executes commands for a part, one after the other, and returns the last response.
func (m *mirror) do(cmds ...port.Cmd) (r port.Response) {
	for i := range cmds {
		n := len(m.rsps)
		for !m.cycle(&cmds[i]) {
		}
		for len(m.rsps) == n {
			m.cycle(nil)
		}
		r = m.rsps[n]
	}
	return r
}

func (m *mirror) idle(n int) {
	for range n {
		m.cycle(nil)
	}
}

func command(target port.Target, kind, index, addr int, data uint64) port.Cmd {
	return port.Cmd{Target: target, Kind: uint8(kind), Index: uint16(index), Addr: uint8(addr), Data: data}
}

// header returns Ethernet, VLAN tags and IP from a NIC to itself, the checksum made for a total length of 0.
func header(tags int, v6, native bool) (b []byte) {
	b = append(b, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1)
	for i := range tags {
		b = append(b, []byte{0x88, 0x81}[(i+tags)%2], []byte{0xA8, 0}[(i+tags)%2], 0, byte(7+i))
	}
	protocol := byte(17)
	if native {
		protocol = uet.DefaultSpec().Protocol
	}
	if v6 {
		b = append(b, 0x86, 0xDD, 0x60, 0x20, 0, 0, 0, 0, protocol, 64)
		for range 2 {
			b = append(b, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
		}
		return b
	}
	ip := []byte{0x45, 2, 0, 0, 0, 0, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 1}
	sum := 0
	for i := 0; i < len(ip); i += 2 {
		sum += int(ip[i])<<8 + int(ip[i+1])
	}
	for sum > 0xFFFF {
		sum = sum&0xFFFF + sum>>16
	}
	ip[10], ip[11] = byte(^sum>>8), byte(^sum)
	return append(append(b, 8, 0), ip...)
}

// Every packet that the model of the NIC writes is read by judges that share nothing with it: headers, lengths and
// checksums are sound, and the fields are those of the note.
func TestFramesOfTheNICAreSound(t *testing.T) {
	met := map[string]int{}
	for n := range 24 {
		tags, v6, native := n%3, n/3%2 == 1, n/6%2 == 1
		m := &mirror{t: t, r: rand.New(rand.NewPCG(uint64(n), 91)), loss: []int{0, 15}[n/12]}
		var err error
		m.m, err = nic.New(nic.Spec{Contexts: 2, Receives: 16})
		require.NoError(t, err)
		top := header(tags, v6, native)
		u := 8
		if native {
			u = 4
		}
		const context, entropy, nominal = 1, 0xC1A0, 40
		for i := range 16 {
			w := uint64(0)
			for k := range 4 {
				if at := 4*i + k; at < len(top) {
					w |= uint64(top[at]) << (8 * k)
				}
			}
			m.do(command(port.TargetWriter, int(txpdc.KindLoad), context, i, w))
		}
		form := port.Words{Size: uint8(len(top)), Ipv6: v6, Native: native, Entropy: entropy}
		write := func(target port.Target, addr int, data uint64) port.Cmd {
			return command(target, int(txpdc.KindCfgWrite), 0, addr, data)
		}
		mtu := write(port.TargetWindow, ccc.RegMTU, 4096+100)
		mtu.Kind = uint8(ccc.KindCfgWrite)
		m.do(command(port.TargetWriter, int(txpdc.KindLoad), context, port.WordSize, form.Word(port.WordSize)), mtu,
			write(port.TargetSource, txpdc.RegHeader, 0), write(port.TargetSource, txpdc.RegRto, 2000),
			write(port.TargetSource, txpdc.RegTries, 15), write(port.TargetDestination, ackgen.RegNominal, nominal),
			command(port.TargetWindow, int(ccc.KindOpen), context, 0, 0))

		// A packet whose size has no room for the header: it is lost, and so is its first resend.
		kept := m.loss
		m.loss = 100
		m.do(command(port.TargetSource, int(txpdc.KindOpen), 4, 0, 1000), command(port.TargetSource,
			int(txpdc.KindMessage), 4, 0, 1))
		m.idle(300)
		require.Len(t, m.frames, 1)
		head := u + 16 + nominal
		m.do(write(port.TargetSource, txpdc.RegHeader, uint64(head)))
		m.idle(2500)
		m.loss = kept
		m.idle(12000)

		// Messages of all sizes, one after the other, then the end.
		want := map[uint16]int{4: 1}
		for k, sizes := range [][]uint32{{1, 63}, {4096, 4097}, {5 * 4096}} {
			pdc := 5 + k
			m.do(command(port.TargetSource, int(txpdc.KindOpen), pdc, 0, uint64(1<<32-3+k*100_000)&0xFFFFFFFF))
			for _, size := range sizes {
				m.send(command(port.TargetSource, int(txpdc.KindMessage), pdc, 0, uint64(size)))
			}
			m.idle(40_000)
			m.send(command(port.TargetSource, int(txpdc.KindClose), pdc, 0, 0))
			want[uint16(pdc)]++
		}
		m.idle(100_000)

		var notes []port.Note
		for _, x := range m.notes {
			if x.Kind == port.ActSent || x.Kind == port.ActClosing {
				notes = append(notes, x)
			}
			if x.Kind == port.ActFreed {
				delete(want, x.PDC)
			}
		}
		require.Equal(t, map[uint16]int{4: 1}, want, "not closed")
		require.Len(t, m.frames, len(notes))
		for i, f := range m.frames {
			x, data := &notes[i], 0
			if i > 0 && x.Kind == port.ActSent {
				data = max(0, int(x.Size)-head)
			} else if i == 0 {
				data = int(x.Size) // HEADER was 0
			}
			p := sound(t, f)
			require.Equal(t, native, p.Lower.Native)
			require.Len(t, p.Lower.Tags, tags)
			require.EqualValues(t, entropy, p.Lower.Entropy)
			require.Equal(t, uint8(2), p.Lower.ECN)
			require.Len(t, p.Payload, data)
			require.Equal(t, make([]byte, data), p.Payload)
			require.Len(t, p.Padding, max(0, 60-len(top)-u-16-data))
			if x.Kind == port.ActClosing {
				c := p.Control
				require.NotNil(t, c)
				require.Equal(t, &uet.Control{CtlType: uet.Close, Retx: x.IsRtx, PSN: x.PSN, SPDCID: x.PDC + 1,
					DPDCID: c.DPDCID}, c)
				met[fmt.Sprint("close ", x.IsRtx)]++
				continue
			}
			q := p.Request
			require.NotNil(t, q)
			require.Equal(t, uet.RudCCReq, p.Type)
			require.Equal(t, &uet.Request{Retx: x.IsRtx, AR: x.Ar, Syn: x.Syn, ClearPSNOffset: -port.Window, PSN: x.PSN,
				SPDCID: x.PDC + 1, DPDCID: q.DPDCID, PSNOffset: q.PSNOffset, CC: &uet.RequestCC{CCCID: context}}, q)
			if x.Syn {
				require.Equal(t, map[uint16]uint32{4: 1000, 5: 1<<32 - 3, 6: 99_997, 7: 199_997}[x.PDC], q.StartPSN())
			}
			met[fmt.Sprint("rtx ", x.IsRtx)]++
			met[fmt.Sprint("syn ", x.Syn)]++
			met[fmt.Sprint("ar ", x.Ar)]++
			met[fmt.Sprint("bytes ", data)]++
		}
		for _, f := range m.answers {
			sound(t, f)
			met["answers"]++
		}
	}
	for _, name := range []string{"close false", "close true", "rtx false", "rtx true", "syn false",
		"syn true", "ar false",
		"ar true", "bytes 0", "bytes 1", "bytes 63", "bytes 4096", "answers"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// send executes a command of a PDC, again as long as the PDC is busy.
func (m *mirror) send(c port.Cmd) {
	for range 1000 {
		if !m.do(c).Busy {
			return
		}
		m.idle(500)
	}
	require.Fail(m.t, "busy for ever", "%+v", c)
}

// sound returns a packet in which no judge finds a fault.
func sound(t *testing.T, f []byte) *uet.Packet {
	p, err := uet.Decode(uet.DefaultSpec(), f)
	require.NoError(t, err)
	require.Empty(t, p.Complaints, "%x", f)
	if !p.Lower.Native { // whose protocol the library does not know
		v := packet.Judge(f)
		require.Empty(t, v.Fault(), "%x", f)
	}
	return p
}
