package loop

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/packet/uet"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// nicSpec returns a preset in which NICs in hardware can carry the flows: a full packet has a payload that txpdc can
// cut, a window is not much larger than what a PDC may have outstanding, and paths are taken in turn.
func nicSpec(t *testing.T, preset, text string) settings.Spec {
	t.Helper()
	p, err := presets.Lookup(preset)
	require.NoError(t, err)
	s := p.Spec
	require.NoError(t, s.SetAll(strings.Fields("mtu=8256 lb=oblivious recovery=rto service.us=0 "+text)...))
	s.ServiceJitter = 0
	return s
}

const twoHosts = "topology=dumbbell switches=1 senders=1 workload=converge "

// A network whose hosts are models of nic, from frames to frames, carries every flow, in about the time of simulated
// hosts with the same congestion control. Config.Resident is the number of contexts of a NIC.
func TestNICsCarryFlows(t *testing.T) {
	for _, c := range []struct {
		preset, text string
		resident     int
		mean         float64 // bound of the difference of mean completion times
		long         bool
		shows        func(r *result.Result) uint64
	}{
		{preset: "fattree128/permutation", text: twoHosts + "flow.bytes=100000", mean: 0.05},
		{preset: "fattree128/permutation", text: "flow.bytes=50000", mean: 0.05},
		{preset: "fattree128/incast32", text: "flow.bytes=100000", mean: 0.05,
			shows: func(r *result.Result) uint64 { return min(r.Counters.Trims, r.Counters.ECN, r.Counters.Retransmits) }},
		{preset: "stimulus/turnover", text: "", mean: 0.05,
			shows: func(r *result.Result) uint64 { return r.Counters.Trims }},
		{preset: "fattree128/incast32", text: "k=4 incast=8 flow.bytes=100000 nic.pdcs=3 flow.rounds=3", mean: 0.1,
			shows: func(r *result.Result) uint64 { return r.Counters.Trims }},
		{preset: "fattree128/alltoall", text: "k=4 flow.bytes=20000", resident: 2},
		{preset: "fattree128/alltoall", text: "k=4 flow.bytes=20000 mtu=4160 lb=ecmp", mean: 0.1},
		{preset: "fattree128/incast32", text: "k=4 incast=12 flow.bytes=200000 trim=off loss_prob=1e-3", mean: 0.3,
			shows: func(r *result.Result) uint64 { return min(r.Counters.Timeouts, r.Counters.DataLost) }},
		{preset: "fattree128/permutation", text: "flow.bytes=1000000", mean: 0.1, long: true},
		{preset: "fattree128/incast32", text: "flow.bytes=1000000", mean: 0.1, long: true},
		{preset: "fattree128/incast32", text: "flow.bytes=300000 mtu=4160 nic.pdcs=2", mean: 0.1, long: true},
		{preset: "fattree128/mixed", text: "flow.sizes=16384,100000,400000", mean: 0.1, long: true},
	} {
		t.Run(strings.TrimSpace(c.preset+" "+c.text), func(t *testing.T) {
			if c.long {
				launchtest.Long(t, "small flows")
			}
			s := nicSpec(t, c.preset, c.text)
			s.CC = Fixed
			want := run(t, Config{}, s)
			s.CC = NICModel
			got := run(t, Config{Resident: c.resident}, s)
			t.Logf("completion times in us: mean %.2f, max %.2f; simulated mean %.2f, max %.2f", got.FCT().Mean,
				got.FCT().Max, want.FCT().Mean, want.FCT().Max)
			if c.resident == 0 { // else messages wait for a context
				require.InEpsilon(t, want.FCT().Mean, got.FCT().Mean, c.mean)
			}
			for i := range got.Flows {
				require.GreaterOrEqual(t, got.Flows[i].Acked-got.Flows[i].Start, got.Flows[i].Ideal)
			}
			require.Equal(t, want.Counters.NewPackets, got.Counters.NewPackets)
			if c.shows != nil {
				require.Positive(t, c.shows(got))
			}
		})
	}
}

// Messages of one connection go one after the other, others beside them; one begins when another has been delivered.
func TestNICMessages(t *testing.T) {
	s := nicSpec(t, "fattree128/permutation", "k=4")
	s.CC = NICModel
	list := []traffic.Message{
		{Src: 1, Dst: 9, Bytes: 30_000}, {Src: 1, Dst: 9, Bytes: 1}, {Src: 1, Dst: 9, Bytes: 50_000, Start: 3_000_000},
		{Src: 1, Dst: 4, Bytes: 30_000, Conn: 1}, {Src: 4, Dst: 1, Bytes: 8192, Conn: 2, After: []int32{3}},
	}
	res, _, err := Run(t.Context(), Config{}, s, func() ([]fabric.Option, error) {
		return []fabric.Option{fabric.WithMessages(list)}, nil
	})
	require.NoError(t, err)
	require.NoError(t, res.Verify())
	f := res.Flows
	require.Greater(t, f[1].Delivered, f[0].Acked, "the second begins when the first is acknowledged")
	require.Greater(t, f[2].Delivered, f[1].Acked)
	require.Less(t, f[3].Delivered, f[1].Acked)
	require.Equal(t, f[3].Delivered, f[4].Start)
	require.EqualValues(t, 3, res.Counters.Closes, "connections")
}

// liar comes between a NIC and its host, and changes one call.
type liar struct {
	transport.NICHost
	lie   string
	nth   int
	calls map[string]int
}

func (l *liar) now(lie string) bool {
	l.calls[lie]++
	return lie == l.lie && l.calls[lie] == l.nth
}

func (l *liar) Depart(conn int32, f transport.Frame) {
	if l.now("flip") {
		f.Head[22] ^= 1
	}
	if l.now("shorten") {
		f.Length--
	}
	resend := f.Head[42]>>3 == byte(uet.RudCCReq) && f.Head[43]&0x10 != 0
	if !(resend && l.now("lose resend")) && !l.now("lose") {
		l.NICHost.Depart(conn, f)
	}
	if l.now("double") {
		l.NICHost.Depart(conn, f)
	}
}

func (l *liar) Took(number uint32, v ackgen.Verdict) {
	if l.now("verdict") {
		v = ackgen.VerdictDuplicate
	}
	l.NICHost.Took(number, v)
}

func (l *liar) Acked(conn int32) {
	l.NICHost.Acked(conn)
	if l.now("acked twice") {
		l.NICHost.Acked(conn)
	}
}

// lying makes the NIC of a host a liar.
func lying(lie string, host, nth int) func(transport.NICHost) transport.NICHost {
	return func(h transport.NICHost) transport.NICHost {
		if host--; host == -1 {
			return &liar{h, lie, nth, map[string]int{}}
		}
		return h
	}
}

// A run ends with an error where the network carries something other than what the NICs have done.
func TestNICsCannotLie(t *testing.T) {
	for _, c := range []struct {
		lie       string
		host, nth int // host 0 sends, host 1 receives
		want      string
	}{
		{"lose", 0, 3, "packets are not sent"},
		{"lose", 1, 3, "answers: the network has 7, and the NICs count 8"},
		{"double", 0, 3, "packets sent: the network has 14, and the NICs count 13"},
		{"double", 1, 3, "answers: the network has 9, and the NICs count 8"},
		{"flip", 0, 3, "the IPv4 header checksum is wrong"},
		{"shorten", 0, 3, "an IPv4 total length of 8236 bytes, and 8235 are left"},
		{"shorten", 1, 3, "it is shorter than its head"},
		{"verdict", 1, 3, "packets accepted: the network has 12, and the NICs count 13"},
		{"acked twice", 0, 1, "acknowledged"},
	} {
		t.Run(fmt.Sprint(c.lie, " ", c.host), func(t *testing.T) {
			s := nicSpec(t, "fattree128/permutation", twoHosts+"flow.bytes=100000")
			s.CC = NICModel
			_, _, err := Run(t.Context(), Config{between: lying(c.lie, c.host, c.nth)}, s, nil)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// Settings that a NIC in hardware cannot follow are refused, with one that it can.
func TestNICSettings(t *testing.T) {
	for text, want := range map[string]string{
		"mtu=4096": "set mtu to",
		"lb=reps":  "set lb to oblivious or ecmp",
		"pfc=on trim=off pfc.xoff=200000 pfc.xon=150000": "set pfc to off",
		"service.us=1":                  "set service.us",
		"recovery=sleek":                "set recovery to rto",
		"cc.hosts=3=nscc":               "leave out cc.hosts",
		"nic.entries=128":               "set nic.entries to 0",
		"cc=nscc-nic nic.pipeline=20":   "nic.pipeline = 20: the pipeline of the RTL is fixed",
		"cc=nscc-fixed nic.pipeline=20": "nic.pipeline = 20: no host is a NIC in hardware",
		"slow_hosts=0.5":                "no destination flow control",
		"header_bytes=8 mtu=4104":       "header_bytes = 8",
	} {
		s := nicSpec(t, "fattree128/permutation", "cc="+NICModel+" "+text)
		_, _, err := Run(t.Context(), Config{}, s, nil)
		require.ErrorContains(t, err, want, text)
	}
}
