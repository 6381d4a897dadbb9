// Package nscc is the network-signalled congestion control of Ultra Ethernet in
// float64 and in other arithmetics: what a sender's congestion-control context (CCC) should do, as a reference for a
// fixed-point model or a NIC's pipeline, and to drive a simulation.
//
// It follows the transport specification's sections 3.6.12 (the part common to
// all congestion controls) and 3.6.13 (NSCC: source, destination flow control,
// RTT rule) with every open point settled the same way for all
// blocks of this project. The reference simulator's variant is in htsim.
//
// The rules are one text, written over a few named operations: StateOf, ParamsOf and ResponseOf hold numbers of any
// arithmetic that has them (Arith), such as exact numbers or fixed point; package arith provides those. State, Params
// and Response are the same for float64, which floatgen writes into float_gen.go from that text.
//
// A Spec in SI units is derived into Params for a unit of time (a picosecond, or
// a hardware tick); a State is a plain struct that can be loaded, stepped by one
// event and compared. No method allocates.
//
//	p, err := nscc.DefaultSpec().Params(nscc.Picosecond)
//	s := nscc.NewState(&p, 0)
//	s.OnNewData(&p, &nscc.NewData{Time: 0, Bytes: 1 << 20})
//	s.OnSend(&p, &nscc.Send{Time: 0, Size: 4096})
//	var pdc nscc.PDC
//	r := s.OnACK(&p, &pdc, &nscc.Ack{Time: 13e6, TxTime: 0, Service: 1,
//		RcvdBytes: 16, AckedPkts: 1})
//	fmt.Println(r.Action, r.Cwnd, r.CanSend)
package nscc
