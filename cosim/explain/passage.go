package explain

import (
	"slices"
	"strings"
)

// passage returns the lines of a rule that place names: the row of a table that has it as its first cell, after the
// table's head, or the paragraph that begins with it. It is nil if there are none.
func passage(text, place string) []string {
	if rows := rows(text, func(cell string) bool { return cell == place }); rows != nil {
		return rows
	}
	lines := strings.Split(text, "\n")
	from := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, place) })
	if from < 0 {
		return nil
	}
	lines = lines[from:]
	if end := slices.Index(lines, ""); end >= 0 {
		lines = lines[:end]
	}
	return lines
}

// rowsOf returns the rows of a rule's tables whose first cell names a kind of event, such as "ACK, NACK, no hit", after
// the head of the table. It is nil if there are none.
func rowsOf(text, kind string) []string {
	if kind == "" {
		return nil
	}
	return rows(text, func(cell string) bool { return slices.Contains(strings.Split(cell, ", "), kind) })
}

// rows returns the rows of tables whose first cell is wanted, each table's after its head of two lines.
func rows(text string, wanted func(cell string) bool) (out []string) {
	var head []string
	for _, line := range strings.Split(text, "\n") {
		cells := strings.Split(line, "|")
		switch {
		case len(cells) < 3 || strings.TrimSpace(cells[0]) != "":
			head = nil
		case len(head) < 2:
			head = append(head, line)
		case wanted(strings.TrimSpace(cells[1])):
			if len(out) == 0 || !slices.Contains(out, head[0]) {
				out = append(out, head...)
			}
			out = append(out, line)
		}
	}
	return out
}
