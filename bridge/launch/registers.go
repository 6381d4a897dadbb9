package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// register matches a member of Verilator's root structure that the house style names as a register: x_q. Memories are
// not among them.
var register = regexp.MustCompile(`(?m)^\s*(?:[CSIQ]Data|VlWide<\d+>)/\*(\d+):0\*/ (\w+_q);`)

// writeRegisters writes the list of the registers that Verilator kept, for the shell to sample. It lists none unless
// they are sampled.
func writeRegisters(obj, block string, sampled bool) error {
	text, err := os.ReadFile(filepath.Join(obj, "V"+block+"_top___024root.h"))
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// Written by the build: the registers of the design.\n#pragma once\n\n"+
		"#include \"V%s_top__Syms.h\"\n\n#define GW_REGISTERS", block)
	for _, m := range register.FindAllStringSubmatch(string(text), -1) {
		top, err := strconv.Atoi(m[1])
		if err != nil {
			return fmt.Errorf("register %s: %w", m[2], err)
		}
		// What Verilator adds, such as delayed copies, is no register of the design.
		if sampled && !strings.HasPrefix(m[2], "__V") && !strings.Contains(m[2], "__Vdly") {
			fmt.Fprintf(&b, " \\\n  GW_REGISTER(%s, %d)", m[2], top+1)
		}
	}
	b.WriteString("\n")
	return os.WriteFile(filepath.Join(obj, "gw_registers.h"), []byte(b.String()), 0o644)
}
