package capture

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/packet/uet"
)

// The judge of these tests is golden/packet/uet, which is written from the published layouts, without the tables of the
// encoder.

// judgeRuns are runs that between them send every kind of packet.
var judgeRuns = []struct{ preset, set string }{
	{"fattree128/incast32", "flow.bytes=100000"},
	{"fattree128/incast32", "flow.bytes=100000 recovery=sleek loss_prob=0.003"},
	{"stimulus/incast32", "flow.bytes=300000 slow_hosts=1"},
	{"fattree128/incast32", "flow.bytes=60000 cc=mnscc"},
	{"fattree128/incast32", "flow.bytes=60000 cc=swift"},
	{"fattree128/incast32", "flow.bytes=60000 cc=hpcc int=data"},
	{"fattree128/incast32", "flow.bytes=60000 cc=fncc-lhcs int=ack retrace=on"},
	{"fattree128/incast32", "flow.bytes=60000 cc=dcqcn"},
	{"fattree128/incast32", "flow.bytes=100000 mpr=20"},
	{"fattree128/incast32", "flow.bytes=1000000 loss_prob=0.003 nic.contexts=2 cc=nscc+rccc"},
}

// carried returns what the packet of the simulator must be on the wire.
func carried(k *net.PacketInfo) uet.Packet {
	pdc := uint16(k.Conn + 1)
	to := pdc
	if k.Syn {
		to = 0
	}
	control := func(kind uet.CtlType) uet.Packet {
		return uet.Packet{Type: uet.CP, Control: &uet.Control{CtlType: kind, Retx: k.Retx, AR: true, Syn: k.Syn, PSN: k.PSN,
			SPDCID: pdc, DPDCID: to, PSNOffset: k.PSNOffset}}
	}
	switch k.Kind {
	case net.PacketAck:
		a := &uet.AckHdr{M: k.CE, Retx: k.Retx, P: k.Probe, CackPSN: k.CumPSN - 1, SPDCID: pdc, DPDCID: pdc}
		if k.Probe {
			a.ProbeOpaque = uint16(k.PSN)
		} else {
			a.AckPSNOffset = int16(k.PSN - a.CackPSN)
		}
		a.CC = &uet.AckCCHdr{MPR: k.MPR, SackPSNOffset: int16(k.SackBase - a.CackPSN), SackBitmap: k.Sack}
		a.CC.NSCC = &uet.NSCCState{
			ServiceTime: k.ServiceTime, RC: k.Restore, RcvCwndPend: k.CwndPend, RcvdBytes: k.RcvdBytes, OOO: k.OOO}
		return uet.Packet{Type: uet.AckCC, Ack: a}
	case net.PacketNack:
		return uet.Packet{Type: uet.Nack, Nack: &uet.NackHdr{M: k.CE, Retx: k.Retx, Code: uet.NackCode(k.Reason), PSN: k.PSN,
			SPDCID: pdc, DPDCID: pdc}}
	case net.PacketProbe:
		c := control(uet.Probe)
		c.Control.ProbeOpaque = uint16(k.PSN)
		return c
	case net.PacketAckReq:
		return control(uet.AckReq)
	case net.PacketClose:
		return control(uet.Close)
	case net.PacketCredit:
		return uet.Packet{Type: uet.CP, Control: &uet.Control{CtlType: uet.Credit, Retx: k.Retx, SPDCID: pdc, DPDCID: pdc,
			Payload: k.Credit}}
	case net.PacketCreditReq:
		c := control(uet.CreditReq)
		c.Control.Payload = k.Credit
		return c
	}
	return uet.Packet{Type: uet.RudCCReq, Request: &uet.Request{Retx: k.Retx, AR: k.AckReq, Syn: k.Syn, PSN: k.PSN,
		SPDCID: pdc, DPDCID: to, PSNOffset: k.PSNOffset, CC: &uet.RequestCC{CCCID: uint8(k.CCC), CreditTarget: k.Credit}}}
}

// disagreement returns the first difference between a frame, as the judge reads it, and the packet of the simulator;
// empty when there is none.
func disagreement(frame []byte, k *net.PacketInfo) string {
	p, err := uet.Decode(uet.DefaultSpec(), frame)
	if k.Kind == net.PacketCNP {
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("port %d is not that of UET", RoCEPort)) {
			return fmt.Sprintf("a CNP is no UET packet, and the judge returns %v", err)
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	if !p.Sound() {
		return strings.Join(p.Complaints, "; ")
	}

	want, size := carried(k), int(k.Size)-64 // less Ethernet to UDP, as the simulator counts, and 16 bytes of UET
	if k.Kind == net.PacketAck {
		size -= 16
	}
	got := *p
	got.Lower, got.Payload, got.Padding, got.Fields = uet.Lower{}, nil, nil, nil
	l := p.Lower
	host := func(n int32) netip.Addr {
		return netip.AddrFrom4([4]byte{10, byte(n >> 16), byte((n + 1) >> 8), byte(n + 1)})
	}
	dscp, ecn := uint8(46), uint8(0)
	if k.Kind == net.PacketData {
		ecn = map[bool]uint8{false: 2, true: 3}[k.CE]
	}
	switch {
	case k.Kind == net.PacketProbe:
		dscp = 0 // it travels with the data, in the low class
	case k.Kind == net.PacketData && k.Trimmed && k.LastHop:
		dscp = 18
	case k.Kind == net.PacketData && k.Trimmed:
		dscp = 16
	case k.Kind == net.PacketData:
		dscp = 8
	}
	switch {
	case !reflect.DeepEqual(got, want):
		return fmt.Sprintf("%v of %v, the simulator has %+v", p.Type, p.Fields, k)
	case want.Ack != nil && !k.Probe && (p.Ack.AckPSN() != k.PSN || p.Ack.SackBase() != k.SackBase):
		return fmt.Sprintf("ACK of PSN %d, bitmap from %d, the simulator has %+v", p.Ack.AckPSN(), p.Ack.SackBase(), k)
	case l.Native || l.NoSum || len(l.Tags) > 0 || l.Version != 4 || l.Entropy != SourcePort(k.Entropy):
		return fmt.Sprintf("layers %+v, the simulator has %+v", l, k)
	case l.Src != host(k.Src) || l.Dst != host(k.Dst):
		return fmt.Sprintf("from %v to %v, the simulator has %d and %d", l.Src, l.Dst, k.Src, k.Dst)
	case l.DSCP != dscp || l.ECN != ecn:
		return fmt.Sprintf("DSCP %d, ECN %d, the simulator has %+v", l.DSCP, l.ECN, k)
	case !bytes.Equal(p.Padding, make([]byte, max(0, 60-len(frame)+len(p.Padding)))): // the least frame of Ethernet
		return fmt.Sprintf("% x after the IP packet, in a frame of %d bytes", p.Padding, len(frame))
	}
	told := 0
	if k.INT != nil && !k.Trimmed {
		told = 8 + 8*len(k.INT)
	}
	switch {
	case len(p.Payload) != max(size, told, 0):
		return fmt.Sprintf("%d bytes of payload, the simulator has %+v", len(p.Payload), k)
	case told > 0 && (p.Payload[0] != 0x49 || p.Payload[1] != 0x4e || int(p.Payload[2]) != len(k.INT)):
		return fmt.Sprintf("telemetry % x, the simulator has %+v", p.Payload[:8], k)
	case slices.ContainsFunc(p.Payload[told:], func(x byte) bool { return x != 0 }):
		return fmt.Sprintf("payload % x where there must be zeros", p.Payload[told:])
	}
	return ""
}

// TestTheJudgeReadsCaptures: each packet on all links of the receiver, and of a sender, is on the wire what it is in
// the simulation.
func TestTheJudgeReadsCaptures(t *testing.T) {
	seen := map[string]int{}
	sample := map[net.PacketKind][]byte{}
	infos := map[net.PacketKind]net.PacketInfo{}
	for _, run := range judgeRuns {
		p, err := presets.Lookup(run.preset)
		require.NoError(t, err)
		spec := p.Spec
		require.NoError(t, spec.SetAll(strings.Fields(run.set)...))
		n, err := spec.Layout()
		require.NoError(t, err)
		first, err := fabric.Run(t.Context(), spec)
		require.NoError(t, err)
		flow := first.Flows[0]
		var ports []int32
		for i := range n.Ports {
			for _, host := range []int32{flow.Src, flow.Dst} {
				if n.Ports[i].From == host || n.Ports[i].To == host {
					ports = append(ports, int32(i))
				}
			}
		}
		require.Len(t, ports, 4, "both ways of a link for each host")
		var file bytes.Buffer
		w, err := NewWriter(&file, DefaultSpec(), n, ports)
		require.NoError(t, err)
		var events []net.PacketInfo
		_, err = fabric.Run(t.Context(), spec, fabric.WithPortTap(func(ev *net.PortEvent) {
			w.Tap(ev)
			if ev.Kind == net.PortDepart {
				k := ev.Packet
				k.INT = slices.Clone(k.INT)
				events = append(events, k)
			}
		}, ports...))
		require.NoError(t, err)
		require.NoError(t, w.Flush())
		all := frames(t, file.Bytes())
		require.Len(t, all, len(events))
		require.Greater(t, len(events), 300, run.set)
		for i := range events {
			k := &events[i]
			require.Empty(t, disagreement(all[i], k), "%s %s, packet %d, kind %d: % x", run.preset, run.set, i, k.Kind, all[i])
			sample[k.Kind], infos[k.Kind] = all[i], *k
			count := func(what string, is bool) {
				if is {
					seen[what]++
				}
			}
			count(fmt.Sprintf("kind %d", k.Kind), true)
			count("trimmed", k.Trimmed)
			count("credit target", k.Credit != 0 && k.Kind == net.PacketData)
			count("second context", k.CCC == 1 && k.Kind == net.PacketData)
			count("resent", k.Retx && k.Kind == net.PacketData)
			count("marked", k.CE && k.Kind == net.PacketData)
			count("answer to a probe", k.Probe)
			count("data that opens", k.Syn && k.Kind == net.PacketData && k.PSNOffset > 0)
			count("resent data that opens", k.Syn && k.Kind == net.PacketData && k.Retx)
			count("ACK request that opens", k.Syn && k.Kind == net.PacketAckReq)
			count("narrow range", k.MPR == 20)
			count("range of small state", k.MPR == 128)
			count("bitmap", k.Sack > 1)
			count("bitmap away from the cumulative PSN", k.Kind == net.PacketAck && k.SackBase != k.CumPSN)
			count("penalty", k.CwndPend > 0)
			count("telemetry in data", len(k.INT) > 0 && k.Kind == net.PacketData)
			count("telemetry in ACKs", len(k.INT) > 0 && k.Kind == net.PacketAck)
		}
	}
	for _, what := range []string{"kind 0", "kind 1", "kind 2", "kind 3", "kind 4", "kind 5", "kind 6", "kind 7", "kind 8",
		"trimmed", "resent", "marked", "answer to a probe", "bitmap", "bitmap away from the cumulative PSN", "penalty",
		"telemetry in data", "telemetry in ACKs", "data that opens", "resent data that opens", "ACK request that opens",
		"narrow range", "range of small state", "credit target", "second context"} {
		require.Positive(t, seen[what], "no packet of these: %s; %v", what, seen)
	}
	t.Log(seen)
	plantDisagreements(t, sample, infos)
}

// TestTheJudgeReadsEveryNumber: with random numbers in every field of the simulator's packet, too.
func TestTheJudgeReadsEveryNumber(t *testing.T) {
	list := samples()
	for i := range list {
		if k := &list[i]; k.Kind == net.PacketNack {
			k.Reason = []uint8{1, 2, 0x1a, 0xff}[i%4] // codes that exist
		}
	}
	for i, data := range frames(t, captured(t, list)) {
		require.Empty(t, disagreement(data, &list[i]), "%d", i)
	}
}

// TestFarPSNsAreRefused: a PSN that its field does not hold is an error, not another PSN.
func TestFarPSNsAreRefused(t *testing.T) {
	n, err := settings.DefaultSpec().Layout()
	require.NoError(t, err)
	ack := func(psn, base uint32, probe bool) error {
		w, err := NewWriter(io.Discard, DefaultSpec(), n, []int32{0})
		require.NoError(t, err)
		w.Tap(&net.PortEvent{Kind: net.PortDepart, Packet: net.PacketInfo{
			Kind: net.PacketAck, Size: 80, CumPSN: 1, PSN: psn, SackBase: base, Probe: probe, ServiceTime: 1}})
		return w.Flush()
	}
	require.NoError(t, ack(1<<15-1, 1<<15-1, false))
	require.NoError(t, ack(1<<32-1<<15, 1<<32-1<<15, false))
	require.NoError(t, ack(1<<20, 1, true), "the number of a probe")
	for _, far := range []uint32{1 << 15, 1 << 20, 1<<32 - 1<<15 - 1} {
		require.ErrorContains(t, ack(far, 1, false), "its PSN is")
		require.ErrorContains(t, ack(1, far, false), "its bitmap is")
		require.ErrorContains(t, ack(1, far, true), "its bitmap is")
	}
}

// plantDisagreements changes one field of the simulator's packet at a time, which the judge must notice.
func plantDisagreements(t *testing.T, sample map[net.PacketKind][]byte, infos map[net.PacketKind]net.PacketInfo) {
	t.Helper()
	data, ack, nack, probe, asks := net.PacketData, net.PacketAck, net.PacketNack, net.PacketProbe, net.PacketAckReq
	ends, credit, wants := net.PacketClose, net.PacketCredit, net.PacketCreditReq
	every := []net.PacketKind{data, ack, nack, probe, asks, ends, wants, credit}
	for _, c := range []struct {
		name   string
		kinds  []net.PacketKind
		change func(k *net.PacketInfo)
	}{
		{"connection", every, func(k *net.PacketInfo) { k.Conn++ }},
		{"PSN", every[:6], func(k *net.PacketInfo) { k.PSN++ }},
		{"source", every, func(k *net.PacketInfo) { k.Src++ }},
		{"destination", every, func(k *net.PacketInfo) { k.Dst++ }},
		{"entropy", every, func(k *net.PacketInfo) { k.Entropy++ }},
		{"CE", []net.PacketKind{data, ack, nack}, func(k *net.PacketInfo) { k.CE = !k.CE }},
		{"retx", every, func(k *net.PacketInfo) { k.Retx = !k.Retx }},
		{"ar", []net.PacketKind{data}, func(k *net.PacketInfo) { k.AckReq = !k.AckReq }},
		{"credit", []net.PacketKind{data, credit, wants}, func(k *net.PacketInfo) { k.Credit ^= 1 << 23 }},
		{"context", []net.PacketKind{data}, func(k *net.PacketInfo) { k.CCC++ }},
		{"trimmed", []net.PacketKind{data}, func(k *net.PacketInfo) { k.Trimmed = !k.Trimmed }},
		{"size", []net.PacketKind{data}, func(k *net.PacketInfo) { k.Size += 4096 }},
		{"kind", every, func(k *net.PacketInfo) { k.Kind = (k.Kind + 1) % net.PacketCNP }},
		{"syn", []net.PacketKind{data, asks, ends}, func(k *net.PacketInfo) { k.Syn = !k.Syn }},
		{"offset", []net.PacketKind{data, asks, ends}, func(k *net.PacketInfo) { k.PSNOffset++ }},
		{"range", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.MPR++ }},
		{"reason", []net.PacketKind{nack}, func(k *net.PacketInfo) { k.Reason++ }},
		{"cumulative PSN", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.CumPSN++ }},
		{"base", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.SackBase-- }},
		{"far base", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.SackBase += 1 << 16 }},
		{"far PSN", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.PSN += 1 << 16 }},
		{"bitmap", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.Sack ^= 1 << 63 }},
		{"bytes", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.RcvdBytes ^= 1 }},
		{"service time", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.ServiceTime++ }},
		{"out of order", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.OOO++ }},
		{"penalty", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.CwndPend ^= 64 }},
		{"restore", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.Restore = !k.Restore }},
		{"probe", []net.PacketKind{ack}, func(k *net.PacketInfo) { k.Probe = !k.Probe }},
		{"telemetry", []net.PacketKind{data, ack}, func(k *net.PacketInfo) { k.INT = append(k.INT, 1) }},
	} {
		for _, kind := range c.kinds {
			k := infos[kind]
			require.Empty(t, disagreement(sample[kind], &k))
			c.change(&k)
			require.NotEmpty(t, disagreement(sample[kind], &k), "%s of kind %d", c.name, kind)
		}
	}
}

// hidden are the fields that our dissector does not show.
var hidden = map[string]bool{"rsvd": true, "epsn": true}

// shown returns the fields of a packet as our dissector names and prints them.
func shown(p *uet.Packet) map[string]string {
	m := map[string]string{}
	for _, f := range p.Fields {
		name := map[string]string{"rc": "restore_cwnd", "ooo": "ooo_count"}[f.Name]
		switch {
		case hidden[f.Name]:
			continue
		case f.Name == "probe_opaque" && p.Ack != nil:
			name = "ack_psn_offset"
		case name == "":
			name = f.Name
		}
		m[name] = fmt.Sprint(f.Value)
		if strings.HasSuffix(name, "_psn_offset") {
			m[name] = fmt.Sprint(int16(f.Value))
		}
	}
	return m
}

// TestTsharkAgreesWithTheJudge: tshark with our dissector shows the numbers that the judge finds, in packets whose
// every field has a random value, except cc_type, which our dissector reads as 0.
func TestTsharkAgreesWithTheJudge(t *testing.T) {
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip("tshark is not installed: apt-get install tshark")
	}
	more := raws()
	for i := range more {
		switch b := more[i].bytes; b[0] >> 3 {
		case TypeACKCC:
			b[12] &= 0x0f // cc_type
		}
	}
	list := slices.DeleteFunc(samples(), func(k net.PacketInfo) bool { return k.Kind == net.PacketCNP })
	file := captured(t, list, more...)
	text := Dissector(DefaultSpec())
	_, signed, _ := readLua(text)
	var names, fields []string
	for name := range signed {
		if !strings.HasPrefix(name, "int.") {
			names, fields = append(names, name), append(fields, "uet."+name)
		}
	}
	all := frames(t, file)
	differences := func(lua string) (out []string) {
		rows := tshark(t, lua, file, fields)
		require.Len(t, rows, len(all))
		for i, row := range rows {
			p, err := uet.Decode(uet.DefaultSpec(), all[i])
			require.NoError(t, err)
			want := shown(p)
			for k, text := range row {
				if v, err := strconv.ParseUint(text, 0, 64); err == nil {
					text = fmt.Sprint(v)
				}
				if text != want[names[k]] {
					out = append(out, fmt.Sprintf("packet %d: %s: tshark %q, judge %q", i, names[k], text, want[names[k]]))
				}
				delete(want, names[k])
			}
			require.Empty(t, want, "packet %d: tshark does not know these", i)
		}
		return out
	}
	require.Empty(t, differences(text))
	wrong := strings.Replace(text, `{"cack_psn", 32, 32}`, `{"cack_psn", 33, 31}`, 1)
	require.NotEqual(t, text, wrong)
	require.NotEmpty(t, differences(wrong))
}
