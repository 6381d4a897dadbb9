package prove

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../../.."

func tools(t *testing.T) {
	t.Helper()
	if err := Tools(); err != nil {
		t.Skip(err)
	}
}

// The rows marked quick are proven, and each of their twins fails.
func TestQuickRows(t *testing.T) {
	tools(t)
	all, err := Load(root)
	require.NoError(t, err)
	var rows []Row
	for _, r := range all {
		if r.Quick {
			rows = append(rows, r)
		}
	}
	require.NotEmpty(t, rows)
	got := run(t, root, rows)
	for i := range got {
		require.True(t, got[i].Proved(), "%s", &got[i])
		require.Positive(t, got[i].Asserts)
		require.Positive(t, got[i].Twins)
	}
	require.Zero(t, Sum(got).Code())
}

func run(t *testing.T, root string, rows []Row) []Verdict {
	t.Helper()
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	got, err := Run(t.Context(), Spec{Root: abs, Work: t.TempDir(), Jobs: 2}, rows)
	require.NoError(t, err)
	return got
}

// A row counts only with an assertion, a reached REACH, and a twin that fails; a property that does not hold is exit
// code 1, and everything else that is not a proof is 2.
func TestWhatIsNotAProof(t *testing.T) {
	tools(t)
	base := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(base, "hdl"), os.DirFS(filepath.Join(root, "hdl"))))
	path := filepath.Join(base, "hdl", "prove", "prove_credit.sv")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	all, err := Load(root)
	require.NoError(t, err)
	var row Row
	for _, r := range all {
		if r.Name == "credit-8" {
			row = r
		}
	}
	for _, c := range []struct {
		what, find, put string
		change          func(*Row)
		failed          string
		code            int
	}{
		{"nothing is asserted", "`PROVE", "`UNUSED", nil, "asserts nothing", 2},
		{"vacuous", "`ASSUME(!use_i || avail)", "`ASSUME(!use_i)", nil, "REACH are reached", 2},
		{"no cover", "`REACH", "`UNUSED", nil, "no REACH", 2},
		{"wrong", "`PROVE(avail ==", "`PROVE(!avail ==", nil, "counterexample", 1},
		{"twin", "", "", func(r *Row) {
			r.Twins = []Twin{{"common/gw_credit.sv", "assign avail_o = (used_q != Max);", "assign avail_o = used_q < Max;"}}
		}, "twin 1 does not fail", 2},
		{"shallow", "", "", func(r *Row) { r.Reach = 3 }, "REACH are reached within 3", 2},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := row
			planted := string(text)
			if c.find != "" {
				require.Contains(t, planted, c.find)
				planted = "`define UNUSED(e)\n" + strings.ReplaceAll(planted, c.find, c.put)
			}
			require.NoError(t, os.WriteFile(path, []byte(planted), 0o644))
			if c.change != nil {
				c.change(&r)
			}
			got := run(t, base, []Row{r})
			require.False(t, got[0].Proved())
			require.Contains(t, got[0].Failed, c.failed)
			require.Equal(t, c.code, Sum(got).Code())
		})
	}
}

// A list without rows, a row without a twin, a design that cannot be read and a twin whose text is gone are errors.
func TestBrokenLists(t *testing.T) {
	require.Equal(t, 2, Sum(nil).Code(), "nothing was proven")
	r := Row{Name: "x", Group: "g", Claim: "c", Top: "prove_credit", Engine: PDR}
	require.ErrorContains(t, r.check(), "no twin")
	r.Twins = []Twin{{"common/gw_credit.sv", "nowhere", "else"}}
	require.NoError(t, r.check())
	_, err := r.Twins[0].plant(tree{root: root, rtl: root + "/hdl/rtl"}, t.TempDir())
	require.ErrorContains(t, err, "occurs 0 times")
	r.Engine = "magic"
	require.ErrorContains(t, r.check(), "not known")
	r.Engine = BMC
	require.ErrorContains(t, r.check(), "depth")
	tools(t)
	_, err = Run(t.Context(), Spec{Root: root, Work: t.TempDir()}, nil)
	require.ErrorContains(t, err, "no row")
	r.Engine, r.Top = PDR, "prove_nothing"
	got := run(t, root, []Row{r})
	require.False(t, got[0].Proved())
	require.Contains(t, got[0].Failed, "yosys")
	require.Equal(t, 2, Sum(got).Code())
}
