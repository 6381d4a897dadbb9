package ackparse_test

import (
	"encoding/hex"
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/ackparse"
	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// A cumulative ACK over native UET and IPv6, whose packet was marked; ack_psn is 3 beyond psn.
func ExampleParse() {
	frame, _ := hex.DecodeString("0200000000020200000000018" + "6dd" +
		"6000000000" + "10fd40" + "fd000000000000000000000000000001" + "fd000000000000000000000000000002" +
		"c0010000" + "382000030000010000070009")
	cfg := ackparse.DefaultConfig()
	var rec port.Rec
	fmt.Println(ackparse.Parse(&cfg, frame, &rec), len(frame), "bytes")
	fmt.Println("psn", rec.PSN, "ack_psn", rec.AckPSN, "m", rec.M, "PDCs", rec.Spdcid, rec.Dpdcid, "entropy", rec.Entropy)
	fmt.Println(ackparse.Parse(&cfg, frame[:len(frame)-1], &rec))
	// Output:
	// ACK 70 bytes
	// psn 256 ack_psn 259 m true PDCs 7 9 entropy 49153
	// TRUNCATED
}
