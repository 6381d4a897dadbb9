// Command luagen writes cosim/network/capture/uet.lua: the Wireshark dissector of captures with
// default values, from the
// tables of their encoder.
//
//	cd cosim/network/capture && go run ./luagen
package main

import (
	"fmt"
	"os"

	"github.com/goldwire/goldwire/cosim/network/capture"
)

func main() {
	if err := os.WriteFile("uet.lua", []byte(capture.Dissector(capture.DefaultSpec())), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "luagen:", err)
		os.Exit(2)
	}
}
