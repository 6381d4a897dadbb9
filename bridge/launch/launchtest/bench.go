package launchtest

import "os/exec"

// Verilate returns the flags with which Verilator makes a program of a bench that will run for a second: compiling it
// well, and the simulator's own sources with it each time, would cost more than running it.
func Verilate() []string {
	flags := "OPT_FAST=-O0 OPT_SLOW=-O0"
	if _, err := exec.LookPath("ccache"); err == nil {
		flags += " OBJCACHE=ccache"
	}
	return []string{"--binary", "--timing", "--output-split", "60000", "-MAKEFLAGS", flags}
}
