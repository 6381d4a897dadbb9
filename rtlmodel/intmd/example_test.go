package intmd_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/intmd"
	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/intmd"
)

// An ACK that arrived on port 2 takes the table entry of port 2.
func ExampleInsert() {
	cfg := intmd.DefaultConfig()
	table := intmd.NewTable(4)
	table.Report(&port.Cnt{Port: 2, Op: port.OpAdd, TxBytes: 130048, Qlen: 81000})
	table.Tick(&cfg)

	f := frames.Frame{UETType: 8, UDPChecksum: true, Body: frames.Telemetry(8, 0, 5, 0)}
	in := f.Bytes()
	out, res := intmd.Insert(&cfg, 4, in, intmd.Side{Len: uint16(len(in)), InPort: 2}, table.Entry)
	fmt.Println(len(in), "->", len(out), "inserted", res.Inserted, "hops", res.Hops)
	fmt.Printf("% x\n", out[len(in):])
	// Output:
	// 82 -> 90 inserted true hops 1
	// 40 00 00 00 03 f8 03 f4
}
