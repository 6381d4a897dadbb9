package txstate

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// What is told of a sample are the values that its response follows from, and its rules are those of the table.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/txstate", port.Schema())
	require.NoError(t, err)
	m, err := New(DefaultSpec())
	require.NoError(t, err)
	var d *event.Decision
	m.Explain(func(x *event.Decision) { d = x })
	st := &State{}
	m.explained(st, &port.Event{Kind: port.KindSend, PSN: 7, Now: 100})
	require.Equal(t, "hit", d.Steps[len(d.Steps)-1].Name)
	require.Zero(t, d.Steps[len(d.Steps)-1].Value.Sign())
	m.explained(st, &port.Event{Kind: port.KindAck, PSN: 7, Now: 1000, ServiceTime: 2})
	got := map[string]uint64{}
	for _, s := range d.Steps {
		require.NotNil(t, book.Rule(s.Rule), s.Rule)
		got[s.Name] = s.Value.Uint64()
	}
	require.Equal(t, map[string]uint64{"entry.valid": 1, "entry.psn": 7, "entry.tx_time": 100, "entry.rtx_count": 0,
		"hit": 1, "service": 2 << 7, "raw": 900 - 2<<7, "ok": 1, "usable": 1}, got)
	require.Equal(t, uint32(900-2<<7), m.rsp.RTT)
	require.True(t, m.rsp.RTTValid)
	for output, rules := range d.By {
		for _, r := range rules {
			require.True(t, book.Decides(output, r), "%s %s", output, r)
		}
	}
	m.explained(nil, &port.Event{Kind: port.KindAck})
	require.Empty(t, d.Steps)
}

// The place told is the line of the contract that gives the response.
func TestPlaces(t *testing.T) {
	text, err := os.ReadFile("../../vectors/event/txstate/contract.md")
	require.NoError(t, err)
	m, err := New(DefaultSpec())
	require.NoError(t, err)
	var d *event.Decision
	m.Explain(func(x *event.Decision) { d = x })
	entry := func() *State { return &State{Valid: true, PSN: 7} }
	for _, c := range []struct {
		st   *State
		ev   port.Event
		want string
	}{
		{entry(), port.Event{Kind: port.KindSend, PSN: 7}, "SEND, hit"},
		{entry(), port.Event{Kind: port.KindSend, PSN: 8}, "SEND, no hit, is_rtx = 0"},
		{entry(), port.Event{Kind: port.KindSend, PSN: 8, IsRtx: true}, "SEND, no hit, is_rtx = 1"},
		{entry(), port.Event{Kind: port.KindAck, PSN: 7}, "ACK, hit"},
		{entry(), port.Event{Kind: port.KindNack, PSN: 7}, "NACK, hit"},
		{entry(), port.Event{Kind: port.KindAck, PSN: 8}, "ACK, NACK, no hit"},
		{entry(), port.Event{Kind: port.KindNack, PSN: 8}, "ACK, NACK, no hit"},
		{entry(), port.Event{Kind: port.KindLoad, PSN: 8}, "LOAD"},
		{entry(), port.Event{Kind: port.KindRead, PSN: 8}, "READ"},
		{nil, port.Event{Kind: port.KindRead}, "Checks, in this order"},
		{nil, port.Event{Kind: port.KindCfgWrite}, "Checks, in this order"},
		{entry(), port.Event{Kind: 7}, "Checks, in this order"},
	} {
		m.explained(c.st, &c.ev)
		require.Equal(t, map[string]string{"contract": c.want}, d.Places)
		require.Regexp(t, `(?m)^(\| )?`+regexp.QuoteMeta(c.want), string(text))
	}
}
