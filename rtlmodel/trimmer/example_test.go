package trimmer_test

import (
	"fmt"

	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
)

// A request of 1,068 bytes is cut to 64.
func ExampleTrim() {
	cfg := trimmer.DefaultConfig()
	f := frames.Frame{UETType: 2, Class: 0x22, UDPChecksum: true, Body: make([]byte, 1024)}
	in := f.Bytes()
	out, res := trimmer.Trim(&cfg, in, trimmer.Side{Trim: true, CE: true, Len: uint16(len(in))})
	fmt.Println(len(in), "->", len(out), "trimmed", res.Trimmed, "marked", res.Marked, res.Cause)
	fmt.Printf("class %#x -> %#x, IP length %d, UDP length %d\n", in[15], out[15], out[17], out[39])
	// Output:
	// 1068 -> 64 trimmed true marked true NONE
	// class 0x22 -> 0x43, IP length 50, UDP length 30
}
