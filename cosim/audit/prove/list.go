package prove

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/goldwire/goldwire/cosim/audit/fault"
)

// ErrProof is wrapped by errors in a list of proofs, in a tool or in its answer: nothing is known about the RTL.
var ErrProof = errors.New("proof")

// Engines.
const (
	PDR    = "pdr"    // abc pdr: for all time
	Induct = "induct" // abc bmc3 and ind, base and step of Depth cycles: for all time
	Z3     = "z3"     // yosys-smtbmc with z3, base and step of one cycle: for all time
	Window = "window" // abc bmc3 from any state, of a property that looks back at most Depth cycles: for all time
	BMC    = "bmc"    // abc bmc3 from reset: Depth cycles and no more
	Paths  = "paths"  // no combinational path from an input other than the reset to an output: structural
	Same   = "same"   // abc pdr of a module beside the same module with a fault: for all time (miter.go)
)

// Twin is a planted fault, with which a proof must fail.
type Twin struct {
	File string `yaml:"file"` // under hdl/rtl
	Find string `yaml:"find"` // occurs in the file exactly once
	Put  string `yaml:"put"`
}

// Row is one proof.
type Row struct {
	Name    string            `yaml:"name"`
	Group   string            `yaml:"group"`
	Claim   string            `yaml:"claim"`
	Top     string            `yaml:"top"`    // harness: hdl/prove/<top>.sv; or a module of hdl/rtl
	Params  map[string]int    `yaml:"params"` // of the harness
	Probes  map[string]string `yaml:"probes"` // wire of the harness -> signals inside the design, the highest first
	Cut     []string          `yaml:"cut"`    // instances whose outputs are free
	Engine  string            `yaml:"engine"`
	Depth   int               `yaml:"depth"`   // of bmc, window and induct
	Reach   int               `yaml:"reach"`   // depth within which REACH and twins are looked for; 0: 40
	Timeout int               `yaml:"timeout"` // seconds; 0: 300
	Quick   bool              `yaml:"quick"`   // part of the tests
	Slow    bool              `yaml:"slow"`    // started before the others, so that no core is idle at the end
	Long    bool              `yaml:"long"`    // played only on demand, and not claimed otherwise
	Twins   []Twin            `yaml:"twins"`

	// Of engine same, whose top is a module of hdl/rtl; miter.go explains them.
	Keep   []string          `yaml:"keep"`
	State  []string          `yaml:"state"`
	Late   map[string]int    `yaml:"late"`
	Care   map[string]string `yaml:"care"`
	Assume []string          `yaml:"assume"` // of the module's ports and signals
	Cover  []string          `yaml:"cover"`  // what must be reached under the assumptions
	Given  []string          `yaml:"given"`  // rows of proofs.yaml that prove what is assumed
	Notes  map[string]string `yaml:"notes"`  // module -> SystemVerilog at its end, of wires and registers gw_*
	When   map[string]string `yaml:"when"`   // register or output -> wire gw_* of the notes while which it is the same
	Lemma  []string          `yaml:"lemma"`  // wires gw_* of the notes that are always 1, which is proven too

	common *common // with the other survivors of its entry

	pair bool // the twins are of its module
	// Of a survivor: what writes its module with the fault, or with that of a twin, to a folder.
	planted func(dir string) (string, error)
	twin    func(dir string, w Twin) (string, error)
}

var plainName = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]*$`)

// check returns an error when a row cannot be a proof.
func (r *Row) check() error {
	bad := func(what string) error { return fmt.Errorf("%w: row %q: %s", ErrProof, r.Name, what) }
	switch {
	case !plainName.MatchString(r.Name):
		return bad("give a name of small letters, digits and dashes")
	case r.Group == "" || r.Claim == "" || r.Top == "":
		return bad("group, claim or top is missing")
	case len(r.Twins) == 0:
		return bad("no twin: a proof that cannot fail is not counted")
	case slices.Contains([]string{BMC, Window, Induct}, r.Engine) != (r.Depth > 0):
		return bad("depth belongs to bmc, window and induct, and to them alone")
	}
	switch r.Engine {
	case PDR, Induct, Z3, Window, BMC, Paths:
		if len(r.Keep)+len(r.State)+len(r.Late)+len(r.Care)+len(r.Assume)+len(r.Cover)+len(r.Given)+len(r.Notes)+
			len(r.When)+len(r.Lemma) > 0 {
			return bad("keep, state, late, care, assume, cover, given, notes, when and lemma belong to same")
		}
	case Same:
		if !r.pair || len(r.Probes) > 0 {
			return bad("same belongs to survivors, without probes")
		}
		if len(r.Assume) > 0 && len(r.Cover) == 0 {
			return bad("it assumes something and covers nothing: its assumptions may be vacuous")
		}
	default:
		return bad("engine " + r.Engine + " is not known")
	}
	for _, t := range r.Twins {
		if (t.File == "") != r.pair || t.Find == "" || t.Find == t.Put {
			return bad("a twin lacks file or find, or changes nothing")
		}
	}
	if r.Reach == 0 {
		r.Reach = 40
	}
	if r.Timeout == 0 {
		r.Timeout = 300
	}
	return nil
}

// Load returns the rows of hdl/prove/proofs.yaml under root. It returns an error for an empty list, a row that is
// incomplete, and a name that occurs twice.
func Load(root string) ([]Row, error) {
	var rows []Row
	if err := read(filepath.Join(root, "hdl", "prove", "proofs.yaml"), &rows); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: the list is empty", ErrProof)
	}
	seen := map[string]bool{}
	for i := range rows {
		if err := rows[i].check(); err != nil {
			return nil, err
		}
		if seen[rows[i].Name] {
			return nil, fmt.Errorf("%w: row %q stands twice", ErrProof, rows[i].Name)
		}
		seen[rows[i].Name] = true
	}
	return rows, nil
}

// Short returns the rows that are played by default, and the number of those played only on demand.
func Short(rows []Row) (short []Row, long int) {
	for _, r := range rows {
		if !r.Long {
			short = append(short, r)
		}
	}
	return short, len(rows) - len(short)
}

func read(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return harness(err)
	}
	if err := fault.Strict(text, into); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrProof, path, err)
	}
	return nil
}

// harness marks an error of the harness; nil for nil.
func harness(err error) error {
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrProof, err)
	}
	return err
}

// write writes a file to a folder, which it makes, and returns its path.
func write(dir, name, text string) (string, error) {
	path := filepath.Join(dir, name)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	return path, harness(err)
}
