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

// libPath puts the folder of libraries into dut.yaml where {lib} stands.
func libPath() func(*World) error {
	return func(w *World) error { return Edit("dut.yaml", "{lib}", filepath.Join(w.Dir, "lib"))(w) }
}

// archive makes the static library lib/libtwist.a with a function of that body.
func archive(body string) func(*World) error {
	return func(w *World) error {
		if err := Write("lib/twist.c", "int gw_twist(int x) { "+body+" }\n")(w); err != nil {
			return err
		}
		for _, args := range [][]string{{"cc", "-fPIC", "-c", "twist.c", "-o", "twist.o"}, {"ar", "rcs", "libtwist.a", "twist.o"}} {
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
		if err == nil && serr == nil && strings.Contains(string(adapter), "adder u_dut") && !strings.Contains(string(adapter), "ref_adder u_dut") && st.ModTime().After(at) {
			best, at = dir, st.ModTime()
		}
	}
	if best == "" {
		return "", errors.New("no cached design of module adder in build/dut")
	}
	return best, nil
}

// unique makes the design one that no cache knows, wrong or right.
func unique(wrong bool) func(*World) error {
	return func(w *World) error {
		flip := "9'd0"
		if wrong {
			flip = "9'd1"
		}
		return Edit("adder.sv", dutSum, fmt.Sprintf("assign rsp_sum_o = sum_q ^ %s; // %d", flip, time.Now().UnixNano()))(w)
	}
}

// cached binaries that are not those of the design.
func cached() (out []Attempt) {
	// A wrong design is built, and what is in its place of the cache is spoilt in such a way that it could pass.
	spoil := func(name string, how func(w *World, right, wrong string) error) {
		out = append(out, Attempt{Name: "cache/" + name, Control: own(), Args: own(), Exit: []int{1}, Says: "rsp_sum", Sabotage: func(w *World) error {
			if err := Then(unique(false), Goldwire(own()...))(w); err != nil {
				return err
			}
			right, err := dutFolder(w)
			if err != nil {
				return err
			}
			if err := Then((*World).restore, unique(true))(w); err != nil {
				return err
			}
			c, err := w.start(context.Background(), w.filled(own()), "")
			if err != nil {
				return err
			}
			if got := c.Wait(); got.Code != 1 {
				return fmt.Errorf("the wrong design: exit code %d: %s", got.Code, got.Text)
			}
			wrong, err := dutFolder(w)
			if err != nil {
				return err
			}
			if right == wrong {
				return errors.New("the two designs have one place in the cache")
			}
			return how(w, right, wrong)
		}})
	}
	program := func(dir string) string { return filepath.Join(dir, "dut") }
	spoil("program-of-another-design", func(_ *World, right, wrong string) error { return replace(program(right), program(wrong)) })
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
	// A save while the build runs: what was built then must not stand for the file saved.
	for _, after := range []time.Duration{100, 250, 500, 1000} {
		out = append(out, Attempt{Name: fmt.Sprintf("cache/saved-%dms-into-the-build", after), Control: own(), Args: own(), Exit: []int{1}, Says: "rsp_sum",
			Sabotage: func(w *World) error {
				mark := fmt.Sprintf("// %d", time.Now().UnixNano())
				if err := Edit("adder.sv", dutSum, "assign rsp_sum_o = sum_q; "+mark)(w); err != nil {
					return err
				}
				c, err := w.start(context.Background(), w.filled(own()), "")
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
				w.clearReports() // that run may have seen either
				return nil
			}})
	}
	return out
}

// replace puts a copy of a program in the place of another.
func replace(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	_ = os.Remove(to)
	return os.WriteFile(to, text, 0o755)
}
