package txstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

const (
	psn  = 0x1234_5678
	sent = 1_000_000
)

// held returns an entry that holds psn, sent at time sent.
func held(count uint8) State { return State{Valid: true, PSN: psn, TxTime: sent, RtxCount: count} }

func TestRules(t *testing.T) {
	send := port.Event{Kind: port.KindSend, PSN: psn, Now: 5_000_000}
	resend := send
	resend.IsRtx = true
	ack := port.Event{Kind: port.KindAck, PSN: psn, Now: sent + 20_000, ServiceTime: 1}
	nack := port.Event{Kind: port.KindNack, PSN: psn, Now: sent + 20_000, ServiceTime: 9}
	load := port.Event{Kind: port.KindLoad, PSN: psn, Now: 77, LoadValid: true, LoadRtxCount: 1}
	read := port.Event{Kind: port.KindRead, PSN: 99}
	other := held(1)
	other.PSN += 1 << 20 // the same entry, in another generation
	gone := held(0)
	gone.Valid = false
	at := func(s State, now uint64, count uint8) State { s.TxTime, s.RtxCount = now, count; return s }
	with := func(e port.Event, f func(*port.Event)) port.Event { f(&e); return e }

	for _, tc := range []struct {
		name  string
		st    State
		ev    port.Event
		rsp   port.Response
		after State
	}{
		{"SEND to an empty entry", State{}, send,
			port.Response{TxTime: send.Now}, at(held(0), send.Now, 0)},
		{"SEND of a freed PSN is a first transmission", gone, send,
			port.Response{TxTime: send.Now}, at(held(0), send.Now, 0)},
		{"SEND over another PSN evicts", other, send,
			port.Response{TxTime: send.Now, Evicted: true}, at(held(0), send.Now, 0)},
		{"SEND of a held PSN is a resend without is_rtx", held(0), send,
			port.Response{Found: true, TxTime: send.Now, RtxCount: 1}, at(held(0), send.Now, 1)},
		{"SEND of a held PSN with is_rtx", held(1), resend,
			port.Response{Found: true, TxTime: send.Now, RtxCount: 2}, at(held(0), send.Now, 2)},
		{"rtx_count saturates at 2", held(2), resend,
			port.Response{Found: true, TxTime: send.Now, RtxCount: 2}, at(held(0), send.Now, 2)},
		{"resend of an unknown PSN", State{}, resend,
			port.Response{TxTime: send.Now, RtxCount: 2, UnknownRtx: true}, at(held(0), send.Now, 2)},
		{"resend of an unknown PSN evicts", other, resend,
			port.Response{TxTime: send.Now, RtxCount: 2, UnknownRtx: true, Evicted: true}, at(held(0), send.Now, 2)},
		{"ACK samples and frees", held(0), ack,
			port.Response{Found: true, TxTime: sent, RTTValid: true, RTT: 20_000 - 128}, gone},
		{"ACK frees without a sample", held(2), ack,
			port.Response{Found: true, TxTime: sent, RtxCount: 2}, at(gone, sent, 2)},
		{"ACK of another generation", other, ack, port.Response{}, other},
		{"ACK of a freed PSN", gone, ack, port.Response{}, gone},
		{"NACK samples and keeps, service time ignored", held(0), nack,
			port.Response{Found: true, TxTime: sent, RTTValid: true, RTT: 20_000}, held(0)},
		{"NACK needs no usable service time", held(0), with(nack, func(e *port.Event) { e.ServiceTime = 0xFFFF }),
			port.Response{Found: true, TxTime: sent, RTTValid: true, RTT: 20_000}, held(0)},
		{"NACK of another generation", other, nack, port.Response{}, other},
		{"LOAD", State{}, load,
			port.Response{TxTime: 77, RtxCount: 1}, at(held(0), 77, 1)},
		{"LOAD of 3 stores 2, found compares before", held(0), with(load, func(e *port.Event) { e.LoadRtxCount = 3 }),
			port.Response{Found: true, TxTime: 77, RtxCount: 2}, at(held(0), 77, 2)},
		{"LOAD over another PSN evicts nothing", other, load,
			port.Response{TxTime: 77, RtxCount: 1}, at(held(0), 77, 1)},
		{"LOAD of an invalid entry", held(0), with(load, func(e *port.Event) { e.LoadValid = false }),
			port.Response{Found: true, TxTime: 77, RtxCount: 1}, at(gone, 77, 1)},
		{"READ shows what is stored, whatever its PSN", held(1), read,
			port.Response{Found: true, PSN: psn, TxTime: sent, RtxCount: 1}, held(1)},
		{"READ of an invalid entry", gone, read, port.Response{PSN: 99}, gone},
		{"kind 6 refused", held(0), with(ack, func(e *port.Event) { e.Kind = 6 }),
			port.Response{Refused: true}, held(0)},
		{"kind 7 refused", held(0), with(ack, func(e *port.Event) { e.Kind = 7 }),
			port.Response{Refused: true}, held(0)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.ev.PDC = 3
			tc.rsp.Kind, tc.rsp.PDC = tc.ev.Kind, 3
			if tc.ev.Kind != port.KindRead {
				tc.rsp.PSN = psn
			}
			cfg := DefaultConfig()
			rsp := port.Response{RTT: 1} // Apply fills every field
			Apply(&cfg, &tc.st, &tc.ev, &rsp)
			require.Equal(t, tc.rsp, rsp)
			require.Equal(t, tc.after, tc.st)
			require.Equal(t, DefaultConfig(), cfg)
		})
	}
}

func TestNoPDCAndChecksBeforeIt(t *testing.T) {
	cfg := DefaultConfig()
	var rsp port.Response
	Apply(&cfg, nil, &port.Event{Kind: port.KindSend, PDC: 16, PSN: 4}, &rsp)
	require.Equal(t, port.Response{Kind: port.KindSend, PDC: 16, PSN: 4, NoPDC: true}, rsp)
	Apply(&cfg, nil, &port.Event{Kind: 6, PDC: 16}, &rsp)
	require.Equal(t, port.Response{Kind: 6, PDC: 16, Refused: true}, rsp)
	Apply(&cfg, nil, &port.Event{Kind: port.KindCfgWrite, PDC: 16, TimeShift: 5}, &rsp)
	require.Equal(t, port.Response{Kind: port.KindCfgWrite, PDC: 16}, rsp)
	require.Equal(t, Config{TimeShift: 5}, cfg)
}

func TestSample(t *testing.T) {
	const m48 = 1<<48 - 1
	for _, tc := range []struct {
		name    string
		now, tx uint64
		count   uint8
		retx    bool
		service uint16
		shift   uint8
		rtt     uint32 // 0: none
		nackToo bool   // the NACK gives a sample as well,
		nackRTT uint32 // of this size
	}{
		{name: "first transmission", now: 1000, tx: 500, service: 1, shift: 0, rtt: 499, nackToo: true, nackRTT: 500},
		{name: "first transmission, retx echoed", now: 1000, tx: 500, retx: true, service: 1},
		{name: "second transmission, retx echoed", now: 1000, tx: 500, count: 1, retx: true, service: 1, rtt: 499,
			nackToo: true, nackRTT: 500},
		{name: "second transmission, the first acknowledged", now: 1000, tx: 500, count: 1, service: 1},
		{name: "third transmission", now: 1000, tx: 500, count: 2, service: 1},
		{name: "third transmission, retx echoed", now: 1000, tx: 500, count: 2, retx: true, service: 1},
		{name: "service 0", now: 1000, tx: 500, nackToo: true, nackRTT: 500},
		{name: "service 0xFFFF", now: 1 << 30, tx: 500, service: 0xFFFF, nackToo: true, nackRTT: 1<<30 - 500},
		{name: "service 0xFFFE", now: 1 << 30, tx: 500, service: 0xFFFE, rtt: 1<<30 - 500 - 0xFFFE, nackToo: true,
			nackRTT: 1<<30 - 500},
		{name: "service shifted", now: 1 << 30, tx: 500, service: 0xFFFE, shift: 7, rtt: 1<<30 - 500 - 0xFFFE<<7,
			nackToo: true, nackRTT: 1<<30 - 500},
		{name: "raw 0", now: 501, tx: 500, service: 1, nackToo: true, nackRTT: 1},
		{name: "raw 1", now: 502, tx: 500, service: 1, rtt: 1, nackToo: true, nackRTT: 2},
		{name: "raw -1", now: 500, tx: 500, service: 1},
		{name: "raw 2^31-1", now: 1 << 31, tx: 0, service: 1, rtt: 1<<31 - 1},
		{name: "raw 2^31", now: 1<<31 + 1, tx: 0, service: 1},
		{name: "time wraps", now: 10, tx: m48 - 9, service: 1, rtt: 19, nackToo: true, nackRTT: 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cfg := Config{TimeShift: tc.shift}
			st := State{Valid: true, TxTime: tc.tx, RtxCount: tc.count}
			ev := port.Event{Kind: port.KindNack, Now: tc.now, Retx: tc.retx, ServiceTime: tc.service}
			var rsp port.Response
			Apply(&cfg, &st, &ev, &rsp)
			require.Equal(t, tc.nackToo, rsp.RTTValid)
			require.Equal(t, tc.nackRTT, rsp.RTT)
			ev.Kind = port.KindAck
			Apply(&cfg, &st, &ev, &rsp)
			require.Equal(t, tc.rtt != 0, rsp.RTTValid)
			require.Equal(t, tc.rtt, rsp.RTT)
		})
	}
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for _, tc := range []struct {
		s   Spec
		err string
	}{
		{Spec{0, 64}, "NumPdcs 0: want 1 to 65536"},
		{Spec{65537, 64}, "NumPdcs 65537: want 1 to 65536"},
		{Spec{1, 1}, "Depth 1: want a power of two from 2 to 4096"},
		{Spec{1, 48}, "Depth 48: want a power of two from 2 to 4096"},
		{Spec{1, 8192}, "Depth 8192: want a power of two from 2 to 4096"},
	} {
		_, err := New(tc.s)
		require.EqualError(t, err, "txstate: "+tc.err)
	}
}
