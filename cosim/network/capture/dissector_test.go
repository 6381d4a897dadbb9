package capture

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/packet"
)

// TestDissectorIsCheckedIn: uet.lua is what the tables give.
func TestDissectorIsCheckedIn(t *testing.T) {
	text, err := os.ReadFile("uet.lua")
	require.NoError(t, err)
	require.Equal(t, Dissector(DefaultSpec()), string(text), "run make gen")
}

// samples returns packets of every kind with random numbers in every field.
func samples() (out []net.PacketInfo) {
	r := rand.New(rand.NewPCG(1, 2))
	bit := func() bool { return r.Uint32()&1 != 0 }
	for range 12 {
		p := net.PacketInfo{Size: 1500, Nominal: 1500, Class: 2, Src: r.Int32N(1 << 16), Dst: r.Int32N(1 << 16),
			Conn: r.Int32N(65535), PSN: r.Uint32(), Entropy: uint16(r.Uint32()), CE: bit(), Retx: bit(), AckReq: bit()}
		records := func() []uint64 {
			list := make([]uint64, r.IntN(net.INTHops+1))
			for i := range list {
				list[i] = r.Uint64()
			}
			return list
		}
		data := p
		whole := p
		whole.INT = records()
		cut := p
		cut.Trimmed, cut.LastHop, cut.Size, cut.Class, cut.INT = true, bit(), 64, 1, records()
		opening := p
		opening.Syn, opening.PSNOffset = true, uint16(r.Uint32()&0xfff)
		p.Class, p.Size = 0, 64
		nack := p
		nack.Kind, nack.Reason = net.PacketNack, uint8(r.Uint32())
		ack := p
		ack.Kind, ack.CumPSN, ack.Sack, ack.RcvdBytes = net.PacketAck, r.Uint32(), r.Uint64(), r.Uint32()>>8
		ack.SackBase, ack.PSN = ack.CumPSN+uint32(r.IntN(1<<15)), ack.CumPSN-1+uint32(r.IntN(1<<16)-1<<15)
		ack.ServiceTime, ack.OOO = uint16(r.Uint32()), uint16(r.Uint32())
		ack.MPR = uint8(r.Uint32())
		ack.CwndPend, ack.Restore = uint8(r.Uint32()&127), bit()
		told := ack
		told.INT, told.Flows = records(), uint16(r.Uint32())
		answer := ack
		answer.Probe = true
		probe, asks, cnp, ends := p, p, p, p
		probe.Kind, probe.Class = net.PacketProbe, 2
		asks.Kind, asks.AckReq, ends.Kind = net.PacketAckReq, true, net.PacketClose
		first := asks
		first.Syn, first.PSNOffset = true, uint16(r.Uint32()&0xfff)
		cnp.Kind = net.PacketCNP
		paced, pull, wants := data, p, p
		paced.CCC, paced.Credit = r.Int32N(1<<8), r.Uint32()>>8
		pull.Kind, pull.PSN, pull.Credit = net.PacketCredit, 0, r.Uint32()>>8
		wants.Kind, wants.Credit = net.PacketCreditReq, r.Uint32()>>8
		out = append(out, data, whole, cut, opening, nack, ack, told, answer, probe, asks, first, ends, cnp, paced, pull,
			wants)
	}
	return out
}

// expected returns what a dissector must show of a packet, by field, from the packet alone.
func expected(p *net.PacketInfo) map[string]string {
	m := map[string]string{}
	num := func(name string, v any) { m[name] = fmt.Sprint(v) }
	flag := func(name string, b bool) { m[name] = map[bool]string{true: "1", false: "0"}[b] }
	pdc := p.Conn%65535 + 1
	if p.Kind == net.PacketCNP {
		return map[string]string{"bth.opcode": "129", "bth.p_key": "65535",
			"bth.destqp": fmt.Sprint(pdc), "bth.psn": "0"}
	}
	num("spdcid", pdc)
	num("dpdcid", pdc)
	if p.Syn {
		delete(m, "dpdcid")
		num("pdc_info", 0)
		num("psn_offset", p.PSNOffset)
	}
	flag("retx", p.Retx)
	class := "control"
	switch p.Kind {
	case net.PacketData:
		class = "trimmable"
		if p.Trimmed {
			class = "trimmed"
			if p.LastHop {
				class = "trimmed_last_hop"
			}
		}
		num("type", 13)
		num("next_hdr", 0)
		flag("ar", p.AckReq)
		flag("syn", p.Syn)
		num("clear_psn_offset", 0)
		num("ccc_id", p.CCC)
		num("credit_target", p.Credit)
		num("psn", p.PSN)
	case net.PacketAck:
		num("type", 8)
		num("next_hdr", 0)
		flag("m", p.CE)
		flag("p", p.Probe)
		offset := int16(p.PSN - (p.CumPSN - 1))
		if p.Probe {
			offset = int16(p.PSN)
		}
		num("ack_psn_offset", offset)
		num("cack_psn", p.CumPSN-1)
		for _, name := range []string{"cc_type", "cc_flags", "request"} {
			num(name, 0)
		}
		num("mpr", p.MPR)
		num("sack_psn_offset", int16(p.SackBase-(p.CumPSN-1)))
		num("sack_bitmap", p.Sack)
		num("service_time", p.ServiceTime)
		flag("restore_cwnd", p.Restore)
		num("rcv_cwnd_pend", p.CwndPend)
		num("rcvd_bytes", p.RcvdBytes)
		num("ooo_count", p.OOO)
	case net.PacketNack:
		num("type", 10)
		num("next_hdr", 0)
		flag("m", p.CE)
		num("nack_code", p.Reason)
		flag("nt", false)
		num("vendor_code", 0)
		num("nack_psn", p.PSN)
		num("payload", 0)
	default:
		num("type", 11)
		num("ctl_type", map[net.PacketKind]int{net.PacketAckReq: 1, net.PacketClose: 4, net.PacketProbe: 6,
			net.PacketCredit: 7, net.PacketCreditReq: 8}[p.Kind])
		num("probe_opaque", 0)
		if p.Kind == net.PacketProbe {
			class = "plain"
			num("probe_opaque", p.PSN&0xffff)
		}
		flag("isrod", false)
		flag("ar", p.Kind != net.PacketCredit)
		flag("syn", p.Syn)
		num("psn", p.PSN)
		num("payload", p.Credit)
	}
	num("class", class)
	if p.INT == nil || p.Trimmed {
		return m
	}
	for name, v := range map[string]int{"magic": 0x494e, "hops": len(p.INT), "room": 8, "version": 1, "words": 2,
		"check": 0xf7, "flows": int(p.Flows)} {
		num("int."+name, v)
	}
	var rate, ts, tx, q []string
	for _, w := range p.INT {
		rate, ts = append(rate, fmt.Sprint(w>>60)), append(ts, fmt.Sprint(w>>36&0xffffff))
		tx, q = append(tx, fmt.Sprint(w>>16&0xfffff)), append(q, fmt.Sprint(w&0xffff))
	}
	if len(p.INT) > 0 {
		m["int.rate"], m["int.ts"] = strings.Join(rate, ","), strings.Join(ts, ",")
		m["int.tx_bytes"], m["int.qlen"] = strings.Join(tx, ","), strings.Join(q, ",")
	}
	return m
}

// raw is a UET packet whose every field has a random value, those too that the simulation leaves 0.
type raw struct {
	bytes []byte
	want  map[string]string
}

func raws() (out []raw) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 12 {
		for _, h := range pdsHeaders {
			p := raw{want: map[string]string{}}
			add := func(h *Header, fixed map[string]uint64) {
				values := make([]uint64, len(h.Fields))
				for i, f := range h.Fields {
					v := r.Uint64() >> (64 - f.Bits)
					if x, ok := fixed[f.Name]; ok {
						v = x
					}
					values[i] = v
					text := fmt.Sprint(v)
					if f.Signed {
						text = fmt.Sprint(int64(v<<(64-f.Bits)) >> (64 - f.Bits))
					}
					if old, again := p.want[f.Name]; again {
						text = old + "," + text
					}
					if f.Name != "reserved" {
						p.want[f.Name] = text
					}
				}
				p.bytes = h.encode(p.bytes, values...)
				if p.want["syn"] == "1" && p.want["dpdcid"] != "" {
					to, _ := strconv.Atoi(p.want["dpdcid"])
					p.want["pdc_info"], p.want["psn_offset"] = fmt.Sprint(to>>12), fmt.Sprint(to&0xfff)
					delete(p.want, "dpdcid")
				}
			}
			add(h, map[string]uint64{"type": h.Kind})
			if n := r.Uint64N(5); h == &requestHeader || h == &ackHeader {
				add(&intHeader, map[string]uint64{"int.magic": INTMagic, "int.hops": n})
				for range n {
					add(&intEntry, nil)
				}
			}
			p.want["class"] = "trimmable"
			out = append(out, p)
		}
	}
	return out
}

// captured writes the samples into a capture, and the raw packets behind them.
func captured(t *testing.T, list []net.PacketInfo, more ...raw) []byte {
	t.Helper()
	layout, err := settings.DefaultSpec().Layout()
	require.NoError(t, err)
	var file bytes.Buffer
	w, err := NewWriter(&file, DefaultSpec(), layout, []int32{0})
	require.NoError(t, err)
	for i := range list {
		w.Tap(&net.PortEvent{Kind: net.PortDepart, Packet: list[i]})
	}
	for i := range more {
		w.head = append(w.head[:0], more[i].bytes...)
		require.NoError(t, w.serialize(&net.PortEvent{Packet: net.PacketInfo{Class: 2}}, UDPPort, 8))
		data := w.buf.Bytes()
		require.NoError(t, w.out.WritePacket(gopacket.CaptureInfo{CaptureLength: len(data), Length: len(data),
			Timestamp: time.Unix(0, 0)}, data))
	}
	require.NoError(t, w.Flush())
	return file.Bytes()
}

// frames returns the frames of a capture.
func frames(t *testing.T, file []byte) (out [][]byte) {
	t.Helper()
	r, err := pcapgo.NewNgReader(bytes.NewReader(file), pcapgo.DefaultNgReaderOptions)
	require.NoError(t, err)
	for {
		data, _, err := r.ReadPacketData()
		if err == io.EOF {
			return out
		}
		require.NoError(t, err)
		out = append(out, data)
	}
}

// luaRow is a field of a header in the text of the dissector.
type luaRow struct {
	name     string
	at, bits int
}

var (
	luaHeader = regexp.MustCompile(`^  (\w+) = \{".*", (\d+), \{$`)
	luaField  = regexp.MustCompile(`^    \{"([\w.]+)", (\d+), (\d+)\},$`)
	luaForm   = regexp.MustCompile(`^  \{"([\w.]+)", (\d+), ".*", (true|false), .*\},$`)
	luaType   = regexp.MustCompile(`^  \[(\d+)\] = "(request|ack_cc|nack|control)",$`)
)

// readLua reads the headers, the signed fields and the header of each type from the text.
func readLua(text string) (headers map[string][]luaRow, signed map[string]bool, kinds map[byte]string) {
	headers, signed, kinds = map[string][]luaRow{}, map[string]bool{}, map[byte]string{}
	now := ""
	for _, line := range strings.Split(text, "\n") {
		if m := luaHeader.FindStringSubmatch(line); m != nil {
			now = m[1]
		} else if m := luaField.FindStringSubmatch(line); m != nil {
			at, _ := strconv.Atoi(m[2])
			bits, _ := strconv.Atoi(m[3])
			headers[now] = append(headers[now], luaRow{m[1], at, bits})
		} else if m := luaForm.FindStringSubmatch(line); m != nil {
			signed[m[1]] = m[3] == "true"
		} else if m := luaType.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			kinds[byte(n)] = m[2]
		}
	}
	return headers, signed, kinds
}

// follow decodes a UET packet as the text of a dissector would.
func follow(text string, b []byte) map[string]string {
	headers, signed, kinds := readLua(text)
	m := map[string]string{}
	var read func(name string, from int) int
	read = func(name string, from int) int {
		end := 0
		for _, r := range headers[name] {
			if r.name == "dpdcid" && m["syn"] == "1" {
				read("opening", from+r.at/8)
				continue
			}
			v := new(big.Int).SetBytes(b[from:min(len(b), from+(r.at+r.bits+7)/8)])
			v.Rsh(v, uint(7-(r.at+r.bits+7)%8))
			v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(r.bits)), big.NewInt(1)))
			if signed[r.name] && v.Bit(r.bits-1) == 1 {
				v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(r.bits)))
			}
			if old, again := m[r.name]; again {
				m[r.name] = old + "," + v.String()
			} else {
				m[r.name] = v.String()
			}
			end = max(end, r.at+r.bits)
		}
		return from + (end+7)/8
	}
	name := kinds[b[0]>>3]
	at := map[string]int{"request": 16, "ack_cc": 32}[name]
	read(name, 0)
	if at > 0 && len(b) >= at+8 && b[at] == 0x49 && b[at+1] == 0x4e {
		n := int(b[at+2])
		at = read("int", at)
		for range n {
			at = read("int_entry", at)
		}
	}
	return m
}

// faults compares the text of a dissector with packets and returns the differences of the first that has any.
func faults(text string, wants []map[string]string, all [][]byte) (out []string) {
	for i, want := range wants {
		if want["bth.opcode"] != "" {
			continue
		}
		got := follow(text, all[i][42:])
		got["class"] = want["class"] // of the IP header
		for name, v := range want {
			if got[name] != v {
				out = append(out, fmt.Sprintf("packet %d: %s: want %s, got %s", i, name, v, got[name]))
			}
		}
		for name := range got {
			if _, ok := want[name]; !ok {
				out = append(out, fmt.Sprintf("packet %d: %s: not expected", i, name))
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// everything returns a capture of all samples and raw packets, and what a dissector must show of each.
func everything(t *testing.T) (file []byte, wants []map[string]string, list []net.PacketInfo) {
	list, more := samples(), raws()
	for i := range list {
		wants = append(wants, expected(&list[i]))
	}
	for i := range more {
		wants = append(wants, more[i].want)
	}
	return captured(t, list, more...), wants, list
}

// TestDissectorFollowsTheEncoder decodes packets of every kind by the generated text alone. A text with one offset or
// one width wrong must fail.
func TestDissectorFollowsTheEncoder(t *testing.T) {
	file, wants, _ := everything(t)
	all := frames(t, file)
	require.Len(t, all, len(wants))
	text := Dissector(DefaultSpec())
	require.Empty(t, faults(text, wants, all))
	planted, header := 0, ""
	for _, line := range strings.Split(text, "\n") {
		if m := luaHeader.FindStringSubmatch(line); m != nil {
			header = line
		}
		m := luaField.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at, _ := strconv.Atoi(m[2])
		bits, _ := strconv.Atoi(m[3])
		for _, bad := range []string{
			fmt.Sprintf("    {%q, %d, %d},", m[1], at+1, bits), fmt.Sprintf("    {%q, %d, %d},", m[1], at, bits-1),
		} {
			from := strings.Index(text, header) // the row may stand in several headers
			wrong := text[:from] + strings.Replace(text[from:], line+"\n", bad+"\n", 1)
			require.NotEmpty(t, faults(wrong, wants, all), "%s planted for %s", bad, line)
			planted++
		}
	}
	require.Greater(t, planted, 90)
}

// TestPacketsOfEveryKindAreSound: lengths, checksums and telemetry by an independent library.
func TestPacketsOfEveryKindAreSound(t *testing.T) {
	list := samples()
	for i, data := range frames(t, captured(t, list)) {
		v := packet.Judge(data)
		require.True(t, v.Sound() && !v.NoUDPSum, "%d: %s", i, v.Fault())
		got, err := packet.ReadTelemetry(v.Payload, INTMagic)
		if p := &list[i]; p.Trimmed || p.INT == nil || p.Kind == net.PacketCNP {
			require.Error(t, err, "%d", i)
		} else {
			require.NoError(t, err)
			require.EqualValues(t, net.INTHops, got.Room)
			require.Equal(t, append([]uint64(nil), p.INT...), got.Entries)
		}
	}
}

// TestInvariantCRC: the CRC of a CNP does not depend on what routers change, and on everything else.
func TestInvariantCRC(t *testing.T) {
	ip := frames(t, captured(t, []net.PacketInfo{{Kind: net.PacketCNP, Conn: 7, Size: 64}}))[0][14:]
	body := ip[:len(ip)-4]
	crc := invariant(body)
	require.Equal(t, ip[len(ip)-4:], crc)
	may := map[int]bool{1: true, 8: true, 10: true, 11: true, 26: true, 27: true, 32: true}
	for at := range body {
		other := bytes.Clone(body)
		other[at] ^= 0x10
		require.Equal(t, may[at], bytes.Equal(crc, invariant(other)), "byte %d", at)
	}
}
