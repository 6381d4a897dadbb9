package layout

import (
	"fmt"
	"regexp"
	"strings"
)

// Simulators differ on a name that is used ahead of its declaration: Icarus 13 refuses it, older ones and Verilator do
// not.

var (
	svComment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"`)
	svModule  = regexp.MustCompile(`(?s)\bmodule\s+\w+.*?\bendmodule\b`)
	// svDeclared is a declaration at the start of a line: keywords or a type, ranges, names.
	svDeclared = regexp.MustCompile(`(?m)^[ \t]*` +
		`(?:(?:localparam|var|wire|logic|reg|bit|int|integer|genvar|signed|unsigned)\b[ \t]*|\w+_t[ \t]+)+` +
		`(?:\[[^\]\n]*\][ \t]*)*(\w+)[ \t]*(?:\[[^\]\n]*\][ \t]*)*((?:,[^;=]*)?)[;=]`)
	svNext = regexp.MustCompile(`,\s*(\w+)`)
	svName = regexp.MustCompile(`[.]?\b[A-Za-z_]\w*\b`)
)

// UsedEarly returns a line for each signal, variable and parameter of a module that is used ahead of its declaration.
func UsedEarly(path, text string) (out []string) {
	text = svComment.ReplaceAllStringFunc(text, func(s string) string { // places stay as they are
		return regexp.MustCompile(`[^\n]`).ReplaceAllString(s, " ")
	})
	for _, at := range svModule.FindAllStringIndex(text, -1) {
		body := text[at[0]:at[1]]
		declared := map[string]int{}
		keep := func(name string, place int) {
			if _, again := declared[name]; !again {
				declared[name] = place
			}
		}
		for _, m := range svDeclared.FindAllStringSubmatchIndex(body, -1) {
			keep(body[m[2]:m[3]], m[2])
			for _, n := range svNext.FindAllStringSubmatchIndex(body[m[4]:m[5]], -1) {
				keep(body[m[4]+n[2]:m[4]+n[3]], m[4]+n[2])
			}
		}
		said := map[string]bool{}
		for _, m := range svName.FindAllStringIndex(body, -1) {
			name := body[m[0]:m[1]]
			place, ok := declared[name]
			if !ok || m[0] >= place || said[name] {
				continue
			}
			said[name] = true
			line := func(i int) int { return 1 + strings.Count(text[:at[0]+i], "\n") }
			out = append(out, fmt.Sprintf("%s:%d: %s is used ahead of its declaration in line %d, which Icarus 13 refuses",
				path, line(m[0]), name, line(place)))
		}
	}
	return out
}
