package casefile

import (
	"fmt"
	"strings"
)

// line is a line of a scenario file, with the lines that belong to it.
type line struct {
	at   string // file and line
	text string // without its comment
	head string // first word
	body []line // for case, cases, for and define
}

// opens are the words that begin a block that ends with a line "end". A case ends at the next case, cases, define or
// end.
var opens = map[string]bool{"cases": true, "for": true, "define": true}

// readTree reads the lines of a file. A line that ends in a comma continues in the next, and a line that begins with ->
// or => belongs to the line before. Errors name the line.
func readTree(file, text string) ([]line, error) {
	root := &line{}
	open := []*line{root} // innermost last
	var held, heldAt string
	for i, s := range strings.Split(text, "\n") {
		s, _, _ = strings.Cut(s, "#")
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if held != "" {
			s = held + " " + s
		} else {
			heldAt = fmt.Sprintf("%s line %d", file, i+1)
		}
		if held = ""; strings.HasSuffix(s, ",") {
			held = s
			continue
		}
		l := line{at: heldAt, text: s}
		l.head, _, _ = strings.Cut(s, " ")
		top := open[len(open)-1]
		if l.head == "->" || l.head == "=>" { // continues the line before
			n := len(top.body)
			if n == 0 || top.body[n-1].body != nil || opens[top.body[n-1].head] {
				return nil, fmt.Errorf("%s: %s without an item before it", l.at, l.head)
			}
			if before := &top.body[n-1].text; strings.Contains(*before, " "+l.head+" ") {
				*before += strings.TrimPrefix(s, l.head)
			} else {
				*before += " " + s
			}
			continue
		}
		switch {
		case l.head == "case" || l.head == "cases" || l.head == "define":
			if top.head == "case" { // the next case begins
				open = open[:len(open)-1]
				top = open[len(open)-1]
			}
			if top != root && (top.head != "cases" || l.head == "define") {
				return nil, fmt.Errorf("%s: %s inside the %s of %s", l.at, l.head, top.head, top.at)
			}
		case l.head == "end":
			if top.head == "case" {
				open = open[:len(open)-1]
				top = open[len(open)-1]
			}
			if top == root {
				return nil, fmt.Errorf("%s: end without a beginning", l.at)
			}
			open = open[:len(open)-1]
			continue
		case top == root || top.head == "cases":
			return nil, fmt.Errorf("%s: %q comes before the first case", l.at, l.head)
		}
		top.body = append(top.body, l)
		if l.head == "case" || opens[l.head] {
			open = append(open, &top.body[len(top.body)-1])
		}
	}
	if held != "" {
		return nil, fmt.Errorf("%s: the line after the comma is missing", heldAt)
	}
	if top := open[len(open)-1]; top != root && top.head != "case" {
		return nil, fmt.Errorf("%s: %s has no end", top.at, top.head)
	} else if len(open) > 2 {
		return nil, fmt.Errorf("%s: %s has no end", open[1].at, open[1].head)
	}
	return root.body, nil
}
