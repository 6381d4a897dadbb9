// Package intmd is the cycle-true, bit-true model of the intmd block: the All_INT_Table of a switch
// and its insertion into packets, by input port into ACKs (FNCC sections 3.2.1 and 4.1) and by
// output port into data packets (HPCC). It is written only from vectors/event/intmd/contract.md, the header walk of
// vectors/event/trimmer/contract.md and vectors/event/timing.md.
//
//	m, err := intmd.New(intmd.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/intmd
//	var out [port.OutWords]uint64
//	port.PackCnt(&port.Cnt{Port: 1, Op: port.OpAdd, TxBytes: 4096}, in[:])
//	in[0] |= port.InRstN | port.InCntValid | port.InTxReady | port.InCfgrReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Insert is the function of one whole frame and one table entry, without timing; Table is the table with its live
// counters and clock, advanced by Tick. Model edits the headers of a packet in its release cycle, which is not visible
// from outside, and reads the entry when the first beat leaves the store.
package intmd
