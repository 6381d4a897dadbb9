package plain

import (
	"fmt"
	"strings"
)

// Flips writes the table of what becomes of a packet in which one bit of a header is flipped, with a section for each
// packet.
type Flips struct {
	text strings.Builder
	part string
	rows []flipRow
}

// flipRow is a run of bits of one header with the same fate, from the highest bit of byte 0 on; to is its last bit.
type flipRow struct {
	from, to int
	becomes  string
}

// Section begins the table of another packet.
func (t *Flips) Section(name string) {
	t.end()
	fmt.Fprintf(&t.text, "\n## %s\n\n| header | bytes | becomes |\n|---|---|---|\n", name)
}

// Add takes bit at of a frame, whose PDS header has so many bytes. Bits come in the order of the wire.
func (t *Flips) Add(f *Packet, header, at int, becomes string) {
	part, first := "Ethernet", 0
	l4 := "UDP"
	if f.Native {
		l4 = "native"
	}
	ip := "IPv4"
	if f.V6 {
		ip = "IPv6"
	}
	for _, p := range []struct {
		name string
		at   int
	}{{ip, f.L2()}, {l4, f.H()}, {"PDS", f.P()}, {"payload", f.P() + header}, {"padding", f.P() + len(f.PDS)}} {
		if at >= 8*p.at {
			part, first = p.name, p.at
		}
	}
	if part != t.part {
		t.end()
		t.part = part
	}
	bit := at - 8*first
	n := len(t.rows)
	if n > 0 && t.rows[n-1].becomes == becomes && t.rows[n-1].to == bit-1 && bit%8 != 0 {
		t.rows[n-1].to = bit
	} else {
		t.rows = append(t.rows, flipRow{bit, bit, becomes})
	}
}

// end writes the rows of a header. Whole bytes with the same fate share a row.
func (t *Flips) end() {
	for i := 0; i < len(t.rows); i++ {
		r := t.rows[i]
		where := fmt.Sprintf("%d [%d:%d]", r.from/8, 7-r.from%8, 7-r.to%8)
		switch whole := r.from%8 == 0 && r.to%8 == 7; {
		case whole:
			for i+1 < len(t.rows) && t.rows[i+1].becomes == r.becomes && t.rows[i+1].to-t.rows[i+1].from == 7 {
				i++
				r.to = t.rows[i].to
			}
			if where = fmt.Sprint(r.from / 8); r.to > r.from+7 {
				where = fmt.Sprintf("%d .. %d", r.from/8, r.to/8)
			}
		case r.from == r.to:
			where = fmt.Sprintf("%d [%d]", r.from/8, 7-r.from%8)
		}
		fmt.Fprintf(&t.text, "| %s | %s | %s |\n", t.part, where, r.becomes)
	}
	t.rows, t.part = nil, ""
}

// FlipsPage returns the page of a block, with the sections of all tables.
func FlipsPage(block, legend string, tables ...*Flips) string {
	page := fmt.Sprintf("<!-- Written by go test ./rtlmodel/%s -run TestEveryBit -update. DO NOT EDIT. -->\n"+
		"# %[1]s: one flipped bit\n\n%s\n", block, strings.TrimSpace(legend))
	for _, t := range tables {
		t.end()
		page += t.text.String()
	}
	return page
}

// FlipsDiff returns the first line in which two pages differ, as each has it; "" if they are the same.
func FlipsDiff(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(a), len(b)) {
		switch {
		case i == len(a):
			return "want the end, got " + b[i]
		case i == len(b):
			return "want " + a[i] + ", got the end"
		case a[i] != b[i]:
			return fmt.Sprintf("line %d: want %s, got %s", i+1, a[i], b[i])
		}
	}
	return ""
}
