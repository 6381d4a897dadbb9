package codecov

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	header = "# SystemC::Coverage-3"
	ours   = "# goldwire "
)

// Build is what a part of the coverage was counted on.
type Build struct {
	Block  string `json:"block"`
	Build  string `json:"build"` // hash over all that the design was built from
	Cycles uint64 `json:"cycles"`
	// LineCycles are those in which lines and branches were counted; toggles were sampled in all.
	LineCycles uint64 `json:"line_cycles"`
	Runs       uint64 `json:"runs"`
}

// File is the coverage of a run, or of several merged: Verilator's keys with their counts.
type File struct {
	Builds []Build // a block each, sorted; none in a file that goldwire did not write
	Counts map[string]uint64
}

// Read reads a coverage file. It errors when the file is not one, has no points or ends early.
func Read(r io.Reader) (*File, error) {
	f := &File{Counts: map[string]uint64{}}
	in := bufio.NewReader(r)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			break
		}
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("line %d: the file ends within it", n)
		}
		if err != nil {
			return nil, err
		}
		if err := f.line(n, strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if len(f.Counts) == 0 {
		return nil, errors.New("no points of coverage")
	}
	return f, nil
}

func (f *File) line(n int, line string) error {
	switch {
	case n == 1:
		if line != header {
			return fmt.Errorf("%.40q is not %q: this is no coverage of Verilator", line, header)
		}
	case strings.HasPrefix(line, ours):
		var b Build
		if err := json.Unmarshal([]byte(line[len(ours):]), &b); err != nil {
			return err
		}
		if b.Block == "" || b.Build == "" || b.Runs == 0 || b.LineCycles == 0 || b.LineCycles > b.Cycles {
			return fmt.Errorf("%s: block, build, cycles and runs must be there", line)
		}
		f.Builds = append(f.Builds, b)
	case strings.HasPrefix(line, "C '"):
		end := strings.LastIndex(line, "' ")
		if end < 3 {
			return fmt.Errorf("%.80q is not a point", line)
		}
		count, err := strconv.ParseUint(line[end+2:], 10, 64)
		if err != nil {
			return fmt.Errorf("count %q: %w", line[end+2:], err)
		}
		f.Counts[line[3:end]] = plus(f.Counts[line[3:end]], count)
	case line == "" || line[0] == '#':
	default:
		return fmt.Errorf("%.80q is neither a point nor a comment", line)
	}
	return nil
}

// plus adds and stays at the greatest number: a count that wrapped to 0 would take a point's coverage away.
func plus(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// ReadFile reads a coverage file; see Read.
func ReadFile(path string) (*File, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	defer r.Close()
	f, err := Read(r)
	if err != nil {
		return nil, fmt.Errorf("coverage %s: %w", path, err)
	}
	return f, nil
}

// Write writes the file in Verilator's order. The comments that name the builds come after the header.
func (f *File) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, header)
	for _, b := range f.Builds {
		text, err := json.Marshal(b)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s%s\n", ours, text)
	}
	for _, key := range slices.Sorted(maps.Keys(f.Counts)) {
		fmt.Fprintf(out, "C '%s' %d\n", key, f.Counts[key])
	}
	return out.Flush()
}

// Merge adds files. It errors for none, and when a block is in them from two builds or with other points: their sum
// would be of no design.
func Merge(files ...*File) (*File, error) {
	if len(files) == 0 {
		return nil, errors.New("coverage: no files to merge")
	}
	all := &File{Counts: map[string]uint64{}}
	at := map[string]int{}
	first := map[string]*File{}
	for _, f := range files {
		if (len(f.Builds) == 0) != (len(files[0].Builds) == 0) {
			return nil, errors.New("coverage: one of the files names no build, so it may be of another design; merge files of " +
				"goldwire cosim --code-coverage")
		}
		for key, n := range f.Counts {
			all.Counts[key] = plus(all.Counts[key], n)
		}
		if one := first["+"+f.names()]; one != nil && len(f.Builds) > 0 && !samePoints(one, f) {
			return nil, fmt.Errorf("coverage: two files of %s have other points: one is damaged; make both again", f.names())
		}
		first["+"+f.names()] = f
		for _, b := range f.Builds {
			i, ok := at[b.Block]
			switch {
			case !ok:
				at[b.Block] = len(all.Builds)
				all.Builds = append(all.Builds, b)
			case all.Builds[i].Build != b.Build:
				return nil, fmt.Errorf("coverage: block %s: one file is of build %s, another of build %s; make all with one state "+
					"of the RTL and the same parameters", b.Block, all.Builds[i].Build, b.Build)
			default:
				x := &all.Builds[i]
				x.Cycles, x.LineCycles = plus(x.Cycles, b.Cycles), plus(x.LineCycles, b.LineCycles)
				x.Runs = plus(x.Runs, b.Runs)
			}
		}
	}
	slices.SortFunc(all.Builds, func(a, b Build) int { return strings.Compare(a.Block, b.Block) })
	return all, nil
}

func (f *File) names() string {
	text := ""
	for _, b := range f.Builds {
		text += ", block " + b.Block
	}
	return strings.TrimPrefix(text, ", ")
}

func samePoints(a, b *File) bool {
	return maps.EqualFunc(a.Counts, b.Counts, func(uint64, uint64) bool { return true })
}

// Points returns the points, sorted by key.
func (f *File) Points() ([]Point, error) {
	var out []Point
	for _, key := range slices.Sorted(maps.Keys(f.Counts)) {
		p, err := parsePoint(key)
		if err != nil {
			return nil, fmt.Errorf("coverage: %w", err)
		}
		out = append(out, p)
	}
	return out, nil
}

// fileMark is what stands in front of the path of its file in a key; fileMarkLong in those of other versions.
const (
	fileMark     = "\x01f\x02"
	fileMarkLong = "\x01filename\x02"
)

// rename gives the files of the points other names. It errors when two points become one.
func (f *File) rename(name func(path string) string) error {
	counts := make(map[string]uint64, len(f.Counts))
	for key, n := range f.Counts {
		for _, mark := range []string{fileMark, fileMarkLong} {
			if head, rest, ok := strings.Cut(key, mark); ok {
				path, tail, _ := strings.Cut(rest, "\x01")
				key = head + mark + name(path) + "\x01" + tail
			}
		}
		counts[key] = n
	}
	if len(counts) != len(f.Counts) {
		return errors.New("two points have one name: a file of the design is read under two paths")
	}
	f.Counts = counts
	return nil
}
