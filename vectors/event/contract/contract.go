// Package contract reads the contract of a block: its rules by name, and which of them decide an output.
//
//	k, err := contract.Open("vectors/event/ccc", ccc.Schema())
//	for _, r := range k.Deciding("rsp_cwnd", "ACK") {
//		fmt.Printf("%s, line %d: %s\n", r.Name, r.Line, r.Text)
//	}
//
// The table of outputs is the file rules.yaml beside contract.md: by stream and field, the rules. The valid of an
// output stream and the ready of an input stream are fields, too. Open refuses a table that leaves an output out, and
// one that names a rule that the contract does not have.
package contract

import (
	"regexp"
	"strings"
)

var (
	heading  = regexp.MustCompile(`^(#{2,3}) (.+)$`)
	numbered = regexp.MustCompile(`^ ?(\d+)\. `)
	lead     = regexp.MustCompile(`^(?:- )?\*\*([^*]+)\*\*`)
	notSlug  = regexp.MustCompile(`[^a-z0-9]+`)
)

// preamble is the rule that a contract states before its first section.
const preamble = "contract"

// Rule is one rule of a contract: a section (## and ###, SECTION or SECTION/SUBSECTION), a numbered step of one
// (SECTION/7) or a paragraph or entry that begins with a name in bold (SECTION/NAME). All names are in lower case, with
// - for what is neither letter nor digit.
type Rule struct {
	Name string
	Line int    // of contract.md, from 1
	Text string // its lines
}

// Parse returns the rules of a contract in the order of its text. Where a name comes again, because a list goes on or a
// table repeats what the text has, the first counts.
func Parse(text string) []Rule {
	all := []Rule{{Name: preamble, Line: 1}}
	seen := map[string]bool{preamble: true}
	section, at := preamble, preamble
	code := false
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		name := ""
		if m := heading.FindStringSubmatch(line); m != nil && !code {
			if len(m[1]) == 2 {
				section = slug(m[2])
				at = section
			} else {
				at = section + "/" + slug(m[2])
			}
			name = at
		} else if m := numbered.FindStringSubmatch(line); m != nil && !code {
			name = at + "/" + m[1]
		} else if m := lead.FindStringSubmatch(line); m != nil && !code {
			name = at + "/" + slug(m[1])
		}
		if name != "" && !seen[name] {
			seen[name] = true
			all = append(all, Rule{Name: name, Line: i + 1})
		}
		r := &all[len(all)-1]
		r.Text += line + "\n"
	}
	return all
}

// Names returns the names of the rules of a contract in the order of its text.
func Names(text string) (names []string) {
	for _, r := range Parse(text) {
		names = append(names, r.Name)
	}
	return names
}

// slug returns a text as part of a name.
func slug(text string) string {
	return strings.Trim(notSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
