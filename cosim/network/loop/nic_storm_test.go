package loop

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/account"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

// storm is a network that is unkind to packets.
type storm struct {
	name, text string
	fails      bool // links between switches, never all of a switch
	struck     func(c *account.Counters) uint64
}

var storms = []storm{
	{"failed links", "", true, func(c *account.Counters) uint64 { return c.DataLost }},
	{"lost ACKs", "ctl_loss_prob=0.05", false, func(c *account.Counters) uint64 { return c.CtlLost }},
	{"duplicates", "dup_prob=0.05", false, func(c *account.Counters) uint64 { return min(c.DataCopied, c.CtlCopied) }},
	{"reorder", "reorder_prob=0.1", false, func(c *account.Counters) uint64 { return c.Delayed }},
	{"all", "loss_prob=0.005 ctl_loss_prob=0.03 dup_prob=0.03 reorder_prob=0.05", true,
		func(c *account.Counters) uint64 {
			return min(c.DataLost, c.CtlLost, c.DataCopied, c.CtlCopied, c.Delayed, c.Duplicates, c.Timeouts)
		}},
}

// over returns a run of 16 hosts in a storm. The timeout is shorter than a packet may be late: some resends are of
// packets that arrive.
func (x *storm) over(t *testing.T, preset, text string, seed uint64) settings.Spec {
	s := nicSpec(t, preset, short+"rto.us=8 reorder.us=6 "+x.text+" "+text)
	s.Seed = seed
	if x.fails {
		r := rand.New(rand.NewPCG(seed, 16))
		for pod := range 4 {
			s.FailLinks = append(s.FailLinks, settings.Failure{At: units.Picos(1+r.IntN(4)) * units.Microsecond,
				Link: fmt.Sprintf("tor%d-agg%d", 2*pod+r.IntN(2), 2*pod+r.IntN(2))})
		}
	}
	return s
}

// In every storm each message of every NIC arrives once and is acknowledged, each NIC counts what the network has
// carried for it, and none stands still.
func TestNICsInStorms(t *testing.T) {
	seeds := uint64(2)
	if launchtest.Longer() {
		seeds = 10
	}
	for _, x := range storms {
		t.Run(x.name, func(t *testing.T) {
			for seed := range seeds {
				for _, c := range []struct {
					preset, text string
					resident     int // fewer contexts than a host needs: some wait
				}{
					{"fattree128/permutation", "flow.bytes=60000 nic.pdcs=2 flow.rounds=2", 0},
					{"fattree128/incast32", "incast=8 flow.bytes=60000 nic.contexts=2", 1},
				} {
					s := x.over(t, c.preset, c.text, seed)
					s.CC = NICModel
					r := run(t, Config{Resident: c.resident}, s)
					require.Empty(t, r.Unfinished())
					require.Zero(t, r.Counters.GaveUp)
					require.Positive(t, x.struck(&r.Counters), "%s, seed %d", c.preset, seed)
				}
			}
		})
	}
}

// A NIC that loses or doubles a packet, or an answer, does not get away with it where the network does the same: the
// lies of TestNICsCannotLie, and resends.
func TestNICsInStormsCannotLie(t *testing.T) {
	for _, c := range []struct {
		lie       string
		host, nth int
		want      string
	}{
		{"lose", 0, 3, "host 0: connection 0: acknowledged, and 1 packets are not sent"},
		{"lose resend", 0, 1, "NIC of host 0: packets sent: the network has "},
		{"lose", 1, 3, "NIC of host 1: answers: the network has "},
		{"double", 0, 3, "NIC of host 0: packets sent: the network has "},
		{"double", 1, 3, "NIC of host 1: answers: the network has "},
		{"verdict", 1, 3, "NIC of host 1: packets accepted: the network has "},
	} {
		t.Run(fmt.Sprint(c.lie, " ", c.host), func(t *testing.T) {
			s := storms[4].over(t, "fattree128/permutation", twoHosts+"flow.bytes=200000 loss_prob=0.1", 2)
			s.CC, s.FailLinks = NICModel, nil
			_, _, err := Run(t.Context(), Config{between: lying(c.lie, c.host, c.nth)}, s, nil)
			require.ErrorContains(t, err, c.want)
		})
	}
}

// A connection whose link is gone, whose ACKs are all lost, or which its destination refuses, ends, and its flow is
// reported with the reason. All other flows end well, those too that wait for the context of one that failed.
func TestStoppedPDCs(t *testing.T) {
	const noWay, noAnswer = "no way: host9's only link", "retries exhausted: the NIC stopped the connection"
	const refused = "refused: the destination answered with NACK code 0x17" // NEW_START_PSN
	to := func(dst int32, conn int32) traffic.Message {
		return traffic.Message{Src: 1, Dst: dst, Bytes: 100_000, Conn: conn}
	}
	for _, c := range []struct {
		name, text string
		seed       uint64
		list       []traffic.Message
		why        map[int]string // of the flows that fail
	}{
		{"no way", "fail.links=host9-tor4@2", 1, []traffic.Message{to(9, 0), to(4, 1), to(5, 2),
			{Src: 9, Dst: 6, Bytes: 100_000, Conn: 3}}, map[int]string{0: noWay, 3: noWay}},
		{"behind it", "fail.links=host9-tor4@2", 1, []traffic.Message{to(9, 0), to(9, 0)},
			map[int]string{0: noWay, 1: noWay}},
		{"no answer", "ctl_loss_prob=0.99", 1, []traffic.Message{to(9, 0)}, map[int]string{0: noAnswer}},
		// The destination keeps the PDCs of the first two, whose numbers the third and the fourth have again.
		{"refused", "ctl_loss_prob=0.75 topology=dumbbell switches=1 senders=2", 7, []traffic.Message{
			{Bytes: 1000, Src: 1, Dst: 2}, {Bytes: 1000, Src: 1, Dst: 2, Conn: 1}, {Bytes: 1000, Src: 1, Dst: 2, Conn: 2},
			{Bytes: 1000, Src: 1, Dst: 2, Conn: 3}},
			map[int]string{0: noAnswer, 1: noAnswer, 2: refused, 3: refused}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := nicSpec(t, "fattree128/permutation", short+"rto.us=2 "+c.text)
			s.CC, s.Seed = NICModel, c.seed
			messages := func() ([]fabric.Option, error) { return []fabric.Option{fabric.WithMessages(c.list)}, nil }
			res, _, err := Run(t.Context(), Config{Resident: 2}, s, messages)
			require.NoError(t, err)
			if s.CC = NICRTL; launchtest.Longer() {
				rtl, played, err := Run(t.Context(), Config{Resident: 2, Root: "../../.."}, s, messages)
				require.NoError(t, err)
				require.Nil(t, played.Carried.Left, "%v", played.Carried.Left)
				require.Positive(t, played.Carried.NICs)
				same(t, res, rtl)
			}
			require.Len(t, res.Unfinished(), len(c.why))
			for _, f := range res.Unfinished() {
				require.NotEmpty(t, c.why[int(f.ID)], "%v: %s", &f, f.Why)
				require.Contains(t, f.Why, c.why[int(f.ID)])
				require.ErrorContains(t, res.Verify(), f.String())
			}
			require.Positive(t, res.Counters.GaveUp)
		})
	}
}

// failed is a host that keeps the error of its NIC.
type failed struct {
	transport.NICHost
	err error
}

func (f *failed) Fail(err error) { f.err = err }

// A NIC that has something to do, and does nothing, ends the run.
func TestNICsDoNotStandStill(t *testing.T) {
	r := &closed{ctx: t.Context(), tickNs: 1, cancel: func() {}}
	s := nicSpec(t, "fattree128/permutation", twoHosts+"rtt.us=3 rto.us=3 flow.bytes=40000")
	s.CC = NICModel
	_, err := r.simulate(t.Context(), s, nil)
	require.NoError(t, err)
	n, host := r.nics[0], &failed{}
	n.spec.Out = host
	require.EqualValues(t, transport.Never, n.Cycle(n.next, true))
	require.NoError(t, host.err)
	n.host.running++ // a message that the block has forgotten
	from := n.next
	for next := n.next; next < transport.Never; next = n.Cycle(next, true) {
		require.Less(t, next-from, int64(1e6))
	}
	require.ErrorContains(t, host.err, "it stands still: 0 commands, and 1 messages or PDCs that close, have no end")
	require.Greater(t, n.next-from, int64(64*3000), "the longest timeout of a packet")
}
