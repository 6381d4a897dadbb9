package distrust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// libPath replaces {lib} in dut.yaml with the folder of the libraries.
func libPath() func(*World) error {
	return func(w *World) error { return Edit("dut.yaml", "{lib}", filepath.Join(w.Dir, "lib"))(w) }
}

// archive builds the static library lib/libtwist.a with one function, which has the given body.
func archive(body string) func(*World) error {
	return func(w *World) error {
		if err := Write("lib/twist.c", "int gw_twist(int x) { "+body+" }\n")(w); err != nil {
			return err
		}
		for _, args := range [][]string{{"cc", "-fPIC", "-c", "twist.c", "-o", "twist.o"},
			{"ar", "rcs", "libtwist.a", "twist.o"}} {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = filepath.Join(w.Dir, "lib")
			if text, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, text)
			}
		}
		return nil
	}
}

// dutFolder returns the folder of the cached design that was built or used last.
func dutFolder(w *World) (string, error) {
	all, err := filepath.Glob(filepath.Join(w.Root, "build", "dut", "tiny-*"))
	if err != nil {
		return "", err
	}
	best, at := "", time.Time{}
	for _, dir := range all {
		adapter, err := os.ReadFile(filepath.Join(dir, "goldwire_adapter.sv"))
		st, serr := os.Stat(filepath.Join(dir, "dut"))
		if err == nil && serr == nil && strings.Contains(string(adapter), "adder u_dut") &&
			!strings.Contains(string(adapter), "ref_adder u_dut") && st.ModTime().After(at) {
			best, at = dir, st.ModTime()
		}
	}
	if best == "" {
		return "", errors.New("no cached design of module adder in build/dut")
	}
	return best, nil
}

// unique changes the design so that no cache holds it; wrong also makes it wrong.
func unique(wrong bool) func(*World) error {
	return func(w *World) error {
		flip := "9'd0"
		if wrong {
			flip = "9'd1"
		}
		return Edit("adder.sv", dutSum, fmt.Sprintf("assign rsp_sum_o = sum_q ^ %s; // %d", flip, time.Now().UnixNano()))(w)
	}
}

// cached holds attempts in which the cached binary is not that of the design.
func cached() (out []Attempt) {
	// A wrong design is built, and its entry in the cache is then corrupted in a way that could make it pass.
	spoil := func(name string, how func(w *World, right, wrong string) error) {
		out = append(out, Attempt{Name: "cache/" + name, Control: tiny(), Args: tiny(), Exit: []int{1}, Says: "rsp_sum",
			Sabotage: func(w *World) error {
				if err := Then(unique(false), Goldwire(tiny()...))(w); err != nil {
					return err
				}
				right, err := dutFolder(w)
				if err != nil {
					return err
				}
				if err := Then((*World).restore, unique(true), exits(1, tiny()...))(w); err != nil {
					return err
				}
				wrong, err := dutFolder(w)
				if err != nil {
					return err
				}
				if right == wrong {
					return errors.New("the two designs share one cache entry")
				}
				return how(w, right, wrong)
			}})
	}
	program := func(dir string) string { return filepath.Join(dir, "dut") }
	spoil("program-of-another-design",
		func(_ *World, right, wrong string) error { return replace(program(right), program(wrong)) })
	spoil("program-cut-short", func(_ *World, _, wrong string) error { return os.Truncate(program(wrong), 1000) })
	spoil("program-empty", func(_ *World, _, wrong string) error { return os.Truncate(program(wrong), 0) })
	spoil("program-is-gone", func(_ *World, _, wrong string) error { return os.Remove(program(wrong)) })
	spoil("program-damaged", func(_ *World, _, wrong string) error {
		text, err := os.ReadFile(program(wrong))
		if err != nil {
			return err
		}
		for i := len(text) / 2; i < len(text)/2+4096; i++ {
			text[i] ^= 0x5a
		}
		_ = os.Remove(program(wrong))
		return os.WriteFile(program(wrong), text, 0o755)
	})
	// A file is saved while the build runs: the result of that build must not be used for the saved file.
	for _, after := range []time.Duration{100, 250, 500, 1000} {
		out = append(out, Attempt{Name: fmt.Sprintf("cache/saved-%dms-into-the-build", after), Control: tiny(),
			Args: tiny(), Exit: []int{1}, Says: "rsp_sum",
			Sabotage: func(w *World) error {
				mark := fmt.Sprintf("// %d", time.Now().UnixNano())
				if err := Edit("adder.sv", dutSum, "assign rsp_sum_o = sum_q; "+mark)(w); err != nil {
					return err
				}
				c, err := w.start(context.Background(), w.filled(tiny()), "")
				if err != nil {
					return err
				}
				time.Sleep(after * time.Millisecond)
				if err := Edit("adder.sv", "assign rsp_sum_o = sum_q; ", "assign rsp_sum_o = ~sum_q; ")(w); err != nil {
					return err
				}
				if got := c.Wait(); got.Code < 0 {
					return errors.New(got.Text)
				}
				w.clearReports() // that run may have used either version
				return nil
			}})
	}
	return out
}

func replace(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	_ = os.Remove(to)
	return os.WriteFile(to, text, 0o755)
}
