// Package nic is the cycle-true, bit-true model of the nic block: a NIC from packets to packets, the blocks ackparse,
// ackgen, txpdc, txstate and ccc joined, and a writer of packets. It is written only from vectors/event/nic/contract.md
// and vectors/event/timing.md, and contains the models of the five blocks.
//
//	m, err := nic.New(nic.DefaultSpec())
//	var in [port.InWords]uint64           // port is vectors/event/nic
//	var out [port.OutWords]uint64
//	port.PackCmd(&port.Cmd{Target: port.TargetWindow, Kind: uint8(ccc.KindOpen), Index: 2}, in[:])
//	in[0] |= port.InRstN | port.InCmdValid | port.InTxReady | port.InNoteReady | port.InIndReady | port.InRspReady
//	m.Cycle(in[:], out[:])                // one clock cycle; readies and valids are in out[0]
//
// Rests says for how many cycles nothing happens unless something comes, and Skip executes such cycles at once.
//
// Every unit of the contract is a method that reads the state before the clock edge; its changes are visible after the
// edge. Only the writer and the accesses to it have an order within the cycle, which Tick states.
package nic
