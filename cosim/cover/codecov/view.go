package codecov

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
)

// Share is how many points of a kind were hit.
type Share struct {
	Points   int `json:"points"` // without the excluded ones
	Hit      int `json:"hit"`
	Excluded int `json:"excluded"`
}

// Row is the coverage of one file or instance. Lines of a file are its source lines; those of an instance are
// Verilator's points, blocks of lines that are executed together.
type Row struct {
	Name     string `json:"name"`
	Lines    Share  `json:"lines"`
	Branches Share  `json:"branches"`
	Toggles  Share  `json:"toggles"`
}

// View is coverage in numbers.
type View struct {
	Builds    []Build `json:"builds"`
	Total     Row     `json:"total"`
	Files     []Row   `json:"files"`
	Instances []Row   `json:"instances"`
	// Missed are the places that no run hit, in no instance of a file; toggles are by instance.
	Missed []string `json:"missed"`
}

// place is a point of the source, over all instances.
type place struct {
	Point
	hits     uint64
	excluded bool
}

// places joins the instances of each point.
func places(points []Point, f *File, out map[string]bool) []*place {
	by := map[string]*place{}
	var all []*place
	for _, p := range points {
		key := fmt.Sprintf("%s\x00%d\x00%d\x00%s\x00%s\x00%v", p.File, p.Line, p.Column, p.Kind, p.Name, p.Lines)
		if p.File == "" {
			key = p.Key
		}
		x := by[key]
		if x == nil {
			x = &place{Point: p, excluded: true}
			by[key] = x
			all = append(all, x)
		}
		x.hits = plus(x.hits, f.Counts[p.Key])
		x.excluded = x.excluded && out[p.Key]
	}
	slices.SortStableFunc(all, func(a, b *place) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Name, b.Name))
	})
	return all
}

func (s *Share) add(hit, excluded bool) {
	switch {
	case excluded:
		s.Excluded++
	case hit:
		s.Hit++
		fallthrough
	default:
		s.Points++
	}
}

func (r *Row) of(k Kind) *Share {
	switch k {
	case Branch:
		return &r.Branches
	case Toggle:
		return &r.Toggles
	}
	return &r.Lines
}

// lineHits returns how often each line of each file was executed, and whether it is excluded. A line in several points
// has the greatest of their counts.
func lineHits(all []*place) map[string]map[int]*place {
	lines := map[string]map[int]*place{}
	for _, p := range all {
		if p.File == "" || p.Kind != Line && p.Kind != Branch {
			continue
		}
		of := lines[p.File]
		if of == nil {
			of = map[int]*place{}
			lines[p.File] = of
		}
		for _, n := range p.Lines {
			x := of[n]
			if x == nil {
				x = &place{excluded: true}
				of[n] = x
			}
			x.hits, x.excluded = max(x.hits, p.hits), x.excluded && p.excluded
		}
	}
	return lines
}

// NewView counts the coverage of a file. Excluded holds the keys left out; see Exclusions.
func NewView(f *File, excluded map[string]bool) (*View, error) {
	points, err := f.Points()
	if err != nil {
		return nil, err
	}
	v := &View{Builds: f.Builds, Total: Row{Name: "total"}, Missed: []string{}}
	files, instances := rows{}, rows{}
	for _, p := range points {
		if r := instances.row(p.Instance); p.Kind != Other {
			r.of(p.Kind).add(f.Counts[p.Key] > 0, excluded[p.Key])
		}
	}
	all := places(points, f, excluded)
	for name, lines := range lineHits(all) {
		for _, x := range lines {
			files.row(name).Lines.add(x.hits > 0, x.excluded)
			v.Total.Lines.add(x.hits > 0, x.excluded)
		}
	}
	for _, p := range all {
		if p.Kind == Branch && p.File != "" {
			files.row(p.File).Branches.add(p.hits > 0, p.excluded)
		}
		if p.Kind == Branch || p.Kind == Toggle {
			v.Total.of(p.Kind).add(p.hits > 0, p.excluded)
		}
		if p.hits == 0 && !p.excluded && p.Kind != Other {
			v.Missed = append(v.Missed, p.describe())
		}
	}
	v.Files, v.Instances = files.sorted(), instances.sorted()
	return v, nil
}

// rows are by name.
type rows map[string]*Row

// row returns the row of that name, a new one at first.
func (r rows) row(name string) *Row {
	if r[name] == nil {
		r[name] = &Row{Name: name}
	}
	return r[name]
}

func (r rows) sorted() (out []Row) {
	for _, name := range slices.Sorted(maps.Keys(r)) {
		out = append(out, *r[name])
	}
	return out
}

func (p *place) describe() string {
	if p.File == "" {
		return fmt.Sprintf("%s %s.%s", p.Kind, p.Instance, p.Name)
	}
	return fmt.Sprintf("%s %s:%d %s", p.Kind, p.File, p.Line, p.Name)
}

// String returns hit and all points, such as 12/13.
func (s Share) String() string {
	text := fmt.Sprintf("%d/%d", s.Hit, s.Points)
	if s.Excluded > 0 {
		text += fmt.Sprintf(" (-%d)", s.Excluded)
	}
	return text
}

// Text writes the view as tables: files, instances, total.
func (v *View) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, b := range v.Builds {
		fmt.Fprintf(t, "block %s: %d runs, %d cycles, lines counted in %d, build %s\n", b.Block, b.Runs, b.Cycles,
			b.LineCycles, b.Build)
	}
	fmt.Fprintln(t, "file\tlines\tbranches")
	for _, r := range v.Files {
		fmt.Fprintf(t, "%s\t%v\t%v\n", filepath.Base(r.Name), r.Lines, r.Branches)
	}
	fmt.Fprintln(t, "instance\tblocks of lines\tbranches\ttoggles")
	for _, r := range v.Instances {
		fmt.Fprintf(t, "%s\t%v\t%v\t%v\n", r.Name, r.Lines, r.Branches, r.Toggles)
	}
	fmt.Fprintf(t, "total\tlines %v\tbranches %v\ttoggles %v\n", v.Total.Lines, v.Total.Branches, v.Total.Toggles)
	return t.Flush()
}

// LCOV writes lines and branches as lcov and genhtml read them; toggles have no place there. Excluded points are left
// out.
func LCOV(w io.Writer, f *File, excluded map[string]bool) error {
	points, err := f.Points()
	if err != nil {
		return err
	}
	all := places(points, f, excluded)
	lines := lineHits(all)
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "TN:\nSF:%s\n", name)
		var branches, executed Share
		number := map[int]int{}
		for _, p := range all {
			if p.File != name || p.Kind != Branch || p.excluded {
				continue
			}
			fmt.Fprintf(&b, "BRDA:%d,0,%d,%d\n", p.Line, number[p.Line], p.hits)
			number[p.Line]++
			branches.add(p.hits > 0, false)
		}
		fmt.Fprintf(&b, "BRF:%d\nBRH:%d\n", branches.Points, branches.Hit)
		for _, n := range slices.Sorted(maps.Keys(lines[name])) {
			if x := lines[name][n]; !x.excluded {
				fmt.Fprintf(&b, "DA:%d,%d\n", n, x.hits)
				executed.add(x.hits > 0, false)
			}
		}
		fmt.Fprintf(&b, "LF:%d\nLH:%d\nend_of_record\n", executed.Points, executed.Hit)
	}
	_, err = io.WriteString(w, b.String())
	return err
}
