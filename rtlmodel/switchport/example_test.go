package switchport_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/switchport"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// A packet of one beat enters, and a grant for its port lets it leave.
func Example() {
	m, err := switchport.New(switchport.DefaultSpec())
	if err != nil {
		fmt.Println(err)
		return
	}
	var in [port.InWords]uint64
	var out [port.OutWords]uint64
	const always = port.InRstN | port.InTxReady | port.InNoteReady | port.InGrReady | port.InCfgrReady
	port.PackRx(&port.Rx{Keep: 1<<20 - 1, Last: true, Port: 1, Id: 7}, in[:])
	port.PackGrant(&port.Grant{Port: 1}, in[:])
	for cycle := range 60 {
		in[0] = in[0]&^port.InControl | always
		switch cycle {
		case 4: // the sweep is over after four cycles
			in[0] |= port.InRxValid
		case 12:
			in[0] |= port.InGrantValid
		}
		m.Cycle(in[:], out[:])
		if out[0]&port.OutNoteValid != 0 {
			var n port.Note
			port.UnpackNote(out[:], &n)
			fmt.Println("cycle", cycle, "packet", n.Id, n.Verdict, n.Cls, n.Len)
		}
		if out[0]&port.OutGrValid != 0 {
			var g port.Gr
			port.UnpackGr(out[:], &g)
			fmt.Println("cycle", cycle, "granted", g.Id)
		}
		if out[0]&port.OutTxValid != 0 {
			var x port.Tx
			port.UnpackTx(out[:], &x)
			fmt.Printf("cycle %d sent to port %d, keep %#x\n", cycle, x.Port, x.Keep)
		}
	}
	// Output:
	// cycle 15 packet 7 ADMIT LOW 20
	// cycle 18 granted 7
	// cycle 38 sent to port 1, keep 0xfffff
}
