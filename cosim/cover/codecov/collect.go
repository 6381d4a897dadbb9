package codecov

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// Left is what the two builds of a design left of a run: one that played all of it and counts toggles, and one that
// counts lines too and played a part. A build that left its coverage at path has written path.toggles, path.lines where
// it counts them, and path last.
type Left struct {
	Block          *event.Block
	Build          string // hash over all that the one that counts lines was built from
	Lines, Toggles string // paths
	// Source returns the name under which a file of the design counts, by the path that the build names.
	Source func(path string) string
	// LineCycles and ToggleCycles are the cycles that the run compared on each of them.
	LineCycles, ToggleCycles uint64
}

// Collect reads what the builds left as one file, whose points are those of the build that counts lines. It errors when
// a file is missing or not whole, or when a simulator ran fewer cycles than the run compared on it.
func Collect(l *Left) (*File, error) {
	if l.LineCycles == 0 || l.LineCycles > l.ToggleCycles {
		return nil, fmt.Errorf("coverage: %d of %d cycles were played on the build that counts lines", l.LineCycles,
			l.ToggleCycles)
	}
	cycles, registers, err := readEnd(l.Lines, l.LineCycles)
	if err != nil {
		return nil, err
	}
	f, err := ReadFile(l.Lines + ".lines")
	if err != nil {
		return nil, err
	}
	if len(f.Builds) != 0 {
		return nil, fmt.Errorf("coverage %s.lines: not of the simulator, but of an earlier run", l.Lines)
	}
	if l.Source != nil {
		if err := f.rename(l.Source); err != nil {
			return nil, fmt.Errorf("coverage %s.lines: %w", l.Lines, err)
		}
	}
	if err := readToggles(f, l.Lines+".toggles", l.Block, registers); err != nil {
		return nil, err
	}
	all, registers, err := readEnd(l.Toggles, l.ToggleCycles)
	if err != nil {
		return nil, err
	}
	g := &File{Counts: map[string]uint64{}}
	if err := readToggles(g, l.Toggles+".toggles", l.Block, registers); err != nil {
		return nil, err
	}
	f.join(g)
	f.Builds = []Build{{Block: l.Block.Name, Build: l.Build, Cycles: all, LineCycles: cycles, Runs: 1}}
	return f, nil
}

// join takes the toggles of another file of the same run at the points of this one: what only the other has as a
// register was optimised away here. A toggle counts once a run.
func (f *File) join(g *File) {
	for key, n := range g.Counts {
		if old, ok := f.Counts[key]; ok {
			f.Counts[key] = max(old, n)
		}
	}
}

// readEnd reads the file that a simulator writes last.
func readEnd(path string, compared uint64) (cycles, registers uint64, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, fmt.Errorf("the simulator left no coverage: %w", err)
	}
	if _, err := fmt.Sscanf(string(text), "cycles %d\nregisters %d\n", &cycles, &registers); err != nil {
		return 0, 0, fmt.Errorf("coverage %s: %q is not its end: %w", path, text, err)
	}
	if cycles < compared {
		return 0, 0, fmt.Errorf("coverage %s: it is of %d cycles, the run compared %d", path, cycles, compared)
	}
	return cycles, registers, nil
}

func readToggles(f *File, path string, block *event.Block, registers uint64) error {
	r, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("coverage: %w", err)
	}
	defer r.Close()
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<24)
	layout := event.NewLayout(block)
	seen := map[string]uint64{}
	for in.Scan() {
		cells := strings.Fields(in.Text())
		if in.Text() == "end" {
			if seen["in"] != 1 || seen["out"] != 1 || seen["reg"] != registers {
				return fmt.Errorf("coverage %s: %d rows of inputs, %d of outputs, %d of %d registers", path, seen["in"],
					seen["out"], seen["reg"], registers)
			}
			return nil
		}
		if len(cells) != 5 {
			return fmt.Errorf("coverage %s: %.60q is not a row", path, in.Text())
		}
		width, err1 := strconv.Atoi(cells[2])
		rose, err2 := mask(cells[3], width)
		fell, err3 := mask(cells[4], width)
		if err := cmp.Or(err1, err2, err3); err != nil {
			return fmt.Errorf("coverage %s: %s: %w", path, cells[1], err)
		}
		seen[cells[0]]++
		switch cells[0] {
		case "in":
			err = f.ports(block, &layout.In, rose, fell)
		case "out":
			err = f.ports(block, &layout.Out, rose, fell)
		case "reg":
			f.register(block.Name, cells[1], width, rose, fell)
		default:
			err = fmt.Errorf("kind %q", cells[0])
		}
		if err != nil {
			return fmt.Errorf("coverage %s: %w", path, err)
		}
	}
	if err := in.Err(); err != nil {
		return fmt.Errorf("coverage %s: %w", path, err)
	}
	return fmt.Errorf("coverage %s: it ends early", path)
}

// mask reads bits in hexadecimal digits, the greatest first. The result has bit 0 first.
func mask(digits string, width int) ([]byte, error) {
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, err
	}
	if width < 1 || len(b)*8 < width {
		return nil, fmt.Errorf("%d bits in %d bytes", width, len(b))
	}
	slices.Reverse(b)
	return b, nil
}

func bit(b []byte, i int) uint64 { return uint64(b[i/8] >> (i % 8) & 1) }

// signal adds the points of a signal whose bit 0 is bit at of the masks.
func (f *File) signal(block, instance, name string, width, at int, rose, fell []byte) {
	for i := range width {
		bitName := name
		if width > 1 {
			bitName = fmt.Sprintf("%s[%d]", name, i)
		}
		from, to := "\x01page\x02v_toggle/"+block+"\x01o\x02"+bitName+":", "\x01h\x02"+instance
		f.Counts[from+"0->1"+to] += bit(rose, at+i)
		f.Counts[from+"1->0"+to] += bit(fell, at+i)
	}
}

// register adds a register by Verilator's name for it.
func (f *File) register(block, verilated string, width int, rose, fell []byte) {
	name := strings.NewReplacer("__DOT__", ".", "__BRA__", "[", "__KET__", "]").Replace(verilated)
	instance, signal := "TOP", name
	if i := strings.LastIndex(name, "."); i >= 0 {
		instance, signal = "TOP."+name[:i], name[i+1:]
	}
	f.signal(block, instance, signal, width, 0, rose, fell)
}

// ports adds the ports of a record. The reset is left out: nothing is sampled while it is active.
func (f *File) ports(block *event.Block, r *event.Record, rose, fell []byte) error {
	if len(rose) != r.Words*8 || len(fell) != r.Words*8 {
		return fmt.Errorf("a record of %d bytes, want %d", len(rose), r.Words*8)
	}
	instance := "TOP." + block.Name + "_top"
	for _, c := range r.Controls {
		if c.Name != "rst_n" {
			f.signal(block.Name, instance, c.Name, 1, c.Bit, rose, fell)
		}
	}
	for i := range r.Slots {
		s := &r.Slots[i]
		f.signal(block.Name, instance, s.Stream+"_"+s.Field.Name, s.Field.Width, s.Word*64+s.Bit, rose, fell)
	}
	return nil
}
