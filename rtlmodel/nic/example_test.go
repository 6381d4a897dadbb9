package nic_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/nic"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
)

// The host gives context 1 a template and opens it and its first PDC; a message of 30 bytes leaves as a packet.
func Example() {
	m, err := nic.New(nic.DefaultSpec())
	if err != nil {
		fmt.Println(err)
		return
	}
	commands := []port.Cmd{
		{Target: port.TargetWriter, Kind: uint8(txpdc.KindLoad), Index: 1, Addr: port.WordBytes3, Data: 0x0045_0008},
		{Target: port.TargetWriter, Kind: uint8(txpdc.KindLoad), Index: 1, Addr: port.WordSize, Data: 0xBEEF<<16 | 34},
		{Target: port.TargetWindow, Kind: uint8(ccc.KindOpen), Index: 1},
		{Target: port.TargetSource, Kind: uint8(txpdc.KindOpen), Index: 4, Data: 1000},
		{Target: port.TargetSource, Kind: uint8(txpdc.KindMessage), Index: 4, Data: 30},
	}
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	for range 2400 { // the sweep takes 2,048 cycles
		in[0] = port.InRstN | port.InTxReady | port.InIndReady | port.InNoteReady | port.InRspReady
		if m.CmdReady() && len(commands) > 0 {
			port.PackCmd(&commands[0], in[:])
			in[0] |= port.InCmdValid
			commands = commands[1:]
		}
		m.Cycle(in[:], out[:])
		if out[0]&port.OutNoteValid != 0 {
			var n port.Note
			port.UnpackNote(out[:], &n)
			fmt.Println(n.Kind, n.PDC, "psn", n.PSN, "size", n.Size, "inflight", n.Inflight)
		}
		if out[0]&port.OutTxValid != 0 {
			var x port.Tx
			port.UnpackTx(out[:], &x)
			fmt.Printf("beat of PDC %d, keep %#x, bytes 32 to 39 %016x\n", x.Tag, x.Keep, x.Data[4])
		}
	}
	// Output:
	// OPENED 4 psn 0 size 0 inflight 0
	// MESSAGE 4 psn 0 size 94 inflight 0
	// SENT 4 psn 1000 size 94 inflight 94
	// beat of PDC 4, keep 0xffffffffffffffff, bytes 32 to 39 3600b912efbe0000
	// beat of PDC 4, keep 0xffffff, bytes 32 to 39 0000000000000000
}
