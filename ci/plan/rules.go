package plan

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

// Rules returns the names of the rules of a contract in the order of its text. A rule is a section (## and ###,
// SECTION or SECTION/SUBSECTION), a numbered step of one (SECTION/7) or a paragraph or entry that begins with a name in
// bold (SECTION/NAME); all names are in lower case, with - for what is neither letter nor digit.
func Rules(contract string) []string {
	out := []string{preamble}
	section, at := preamble, preamble
	seen := map[string]bool{preamble: true}
	add := func(name string) {
		if !seen[name] { // a list goes on, or a table repeats what the text says
			seen[name] = true
			out = append(out, name)
		}
	}
	code := false
	for _, line := range strings.Split(contract, "\n") {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if code {
			continue
		}
		if m := heading.FindStringSubmatch(line); m != nil {
			if len(m[1]) == 2 {
				section = slug(m[2])
				at = section
			} else {
				at = section + "/" + slug(m[2])
			}
			add(at)
			continue
		}
		if m := numbered.FindStringSubmatch(line); m != nil {
			add(at + "/" + m[1])
		} else if m := lead.FindStringSubmatch(line); m != nil {
			add(at + "/" + slug(m[1]))
		}
	}
	return out
}

// slug returns a text as part of a name.
func slug(text string) string {
	return strings.Trim(notSlug.ReplaceAllString(strings.ToLower(text), "-"), "-")
}
