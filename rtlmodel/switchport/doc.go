// Package switchport is the cycle-true, bit-true model of the switchport block: the egress side of a switch, a packet
// buffer followed by the blocks egress, trimmer and intmd. It is written only from vectors/event/switchport/contract.md
// and vectors/event/timing.md, and contains the models of the three blocks.
//
//	m, err := switchport.New(switchport.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/switchport
//	var out [port.OutWords]uint64
//	port.PackRx(&port.Rx{Last: true, Keep: ^uint64(0), Port: 1, Id: 7}, in[:])
//	in[0] |= port.InRstN | port.InRxValid | port.InTxReady | port.InNoteReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Every unit of the contract is a method that reads the state before the clock edge; its changes are visible after the
// edge, so the order in which Cycle calls the methods does not matter.
package switchport
