package ackgen_test

import (
	"encoding/hex"
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/ackgen"
)

// The first packet of a source, native and over IPv6, opens PDC 1 and is acknowledged at once.
func ExampleReceiver_Receive() {
	frame, _ := hex.DecodeString("020000000002" + "020000000001" + "86dd" + "6000000000" + "10fd40" +
		"fd000000000000000000000000000001" + "fd000000000000000000000000000002" +
		"c0010000" + "1004000000000064" + "00070000")
	r := ackgen.NewReceiver(ackgen.DefaultSpec())
	reason, ind, answer := r.Receive(frame, ackgen.Instant{Tick: 10}, ackgen.Instant{Tick: 12})
	fmt.Println(reason, ind.Verdict, "in PDC", ind.Pdcid, "opened", ind.Opened)
	fmt.Printf("%d bytes, PDS %x\n", len(answer), answer[58:])
	// Output:
	// PASSED ACCEPTED in PDC 1 opened true
	// 90 bytes, PDS 4000000000000064000100070080000100000000000000000002000000010000
}
