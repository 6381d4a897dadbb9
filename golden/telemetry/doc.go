// Package telemetry is what a sender computes from in-band telemetry: the utilisation and the window of HPCC, and
// those of FNCC, from the entries that its ACKs carry. The rules are one text for any arithmetic, so that the same ACKs
// can be read with exact numbers and in float64, and from exact telemetry as from that of the wire.
//
//	f := telemetry.NewFlow(telemetry.Exact{}, telemetry.HPCC, telemetry.DefaultSpec(), telemetry.Span[telemetry.Real]{})
//	f.Begin(telemetry.Exact{}.Whole(100)) // the sender's link, Gb/s
//	r := f.Ack(1560, 156_000, []telemetry.Stamp[telemetry.Real]{{Rate: rate, TS: ts, Tx: tx, Queue: q}})
//	fmt.Println(r.Hop, r.Above, f.W)
//
// Source: seed 001 (FNCC) and the HPCC paper, as ../../../shared/facts/congestion-control.md section 6 settles them.
// LHCS, which asks the receiver for its number of flows, is not here: intmd neither reads nor writes that number.
package telemetry
