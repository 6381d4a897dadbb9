package campaign_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
)

// TestMain makes the test binary act as goldwire: the source of a run determines its behaviour.
func TestMain(m *testing.M) {
	if log := os.Getenv("FAKE_GOLDWIRE"); log != "" {
		os.Exit(fake(log, os.Args[1:]))
	}
	if dir := os.Getenv("FAKE_MANAGER"); dir != "" {
		os.Exit(manage(dir))
	}
	os.Exit(m.Run())
}

// fake is a run: it notes that it began and behaves as its source demands.
func fake(log string, args []string) int {
	flag := func(name string) string {
		for i, a := range args {
			if a == name {
				return args[i+1]
			}
		}
		return ""
	}
	source, seed, out := flag("--source"), flag("--seed"), flag("--json")
	if file := flag("--signals"); file != "" {
		return fakeSignals(file, flag("--replay"), flag("--rtl"), out)
	}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return 9
	}
	fmt.Fprintf(f, "%s.%s\n", source, seed)
	f.Close()
	judged := ""
	again := strings.Contains(strings.Join(args, " "), "--waves")
	fields, block, verdict, exit, first, runs := "7", "toy", "pass", 0, "null", 1
	mismatch := func(field string) string {
		return `{"episode": "e", "cycle": 3, "fields": [{"name": "` + field + `", "want": "1", "got": "2"}]}`
	}
	if file := flag("--save-case"); file != "" {
		_ = os.WriteFile(file, []byte(`{"goldwire_case": `+seed+`}`), 0o666)
	}
	switch source {
	case "slow":
		time.Sleep(40 * time.Millisecond)
	case "hangs":
		time.Sleep(time.Minute)
	case "eats":
		b := make([]byte, 300<<20)
		for i := range b {
			b[i] = 1
		}
		time.Sleep(time.Minute)
	case "silent":
		return 0
	case "broken":
		fmt.Fprintln(os.Stderr, "goldwire: no simulator")
		return 2
	case "broken once":
		if _, err := os.Stat(log + ".once"); err != nil {
			_ = os.WriteFile(log+".once", nil, 0o666)
			return 2
		}
	case "sees an edit", "sees an edit once": // which is undone before it ends
		if _, err := os.Stat(log + ".edit"); source == "sees an edit" || err != nil {
			_ = os.WriteFile(log+".edit", nil, 0o666)
			_ = os.Rename("hdl/toy.sv", "was")
			_ = os.WriteFile("hdl/toy.sv", []byte("module toy; wire a; endmodule\n"), 0o666)
			_ = os.Rename("was", "hdl/toy.sv")
		}
	case "near":
		judged = "within tolerances"
	case "damaged":
		_ = os.WriteFile(out, []byte(`{"verdict": "pa`), 0o666)
		return 0
	case "killed":
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		time.Sleep(time.Minute)
	case "nothing":
		fields = "0"
	case "other block":
		block = "tay"
	case "other seed":
		seed = "99"
	case "model":
		verdict = "model only"
	case "two runs":
		runs = 2
	case "lies":
		verdict, first = "mismatch", mismatch("a")
	case "exit 1":
		exit = 1
	case "differs":
		verdict, exit, first = "mismatch", 1, mismatch("a")
	case "differs and exits 2":
		verdict, exit, first = "mismatch", 2, mismatch("a")
	case "differs anew":
		verdict, exit, first = "mismatch", 1, mismatch("field"+strconv.FormatBool(again))
	case "differs, then hangs":
		if again {
			time.Sleep(time.Minute)
		}
		verdict, exit, first = "mismatch", 1, mismatch("a")
	case "differs, then breaks":
		if again {
			return 2
		}
		verdict, exit, first = "mismatch", 1, mismatch("a")
	case "differs and is lost":
		return 1
	case "differs and loses it once":
		if !again {
			return 1
		}
		verdict, exit, first = "mismatch", 1, mismatch("a")
	case "differs and loses it again":
		if again {
			return 1
		}
		verdict, exit, first = "mismatch", 1, mismatch("a")
	case "differs once":
		if !again {
			verdict, exit, first = "mismatch", 1, mismatch("a")
		}
	}
	events := 10
	if source == "short" {
		events = 9
	}
	text := fmt.Sprintf(`{"verdict": %q, "judged": %q,
		"reason": "so it is", "block": %q, "source": %q, "seed": %s, "events": %d,
		"cycles": 20, "compared": {"responses": %s, "fields": %s}, "digest": "d%s", "first_mismatch": %s,
		"coverage": {"bins": 3, "hit": 2, "missed": ["%s"]}, "results": [%s]}`, verdict, judged, block, source, seed, events,
		fields,
		fields, seed, first, seed, strings.TrimSuffix(strings.Repeat("{},", runs), ","))
	if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		return 2
	}
	return exit
}

// fakeSignals replays a case, with the seed of its run: the name of the folder rtl determines the design's behaviour.
func fakeSignals(file, saved, rtl, out string) int {
	var c struct {
		Seed int `json:"goldwire_case"`
	}
	if text, err := os.ReadFile(saved); err != nil || json.Unmarshal(text, &c) != nil {
		return 2
	}
	value, verdict, exit := 0, "pass", 0
	switch filepath.Base(rtl) {
	case "failing":
		value, verdict, exit = 1, "mismatch", 1
	case "good fails":
		verdict, exit = "mismatch", 1
	case "good breaks":
		return 2
	case "good without signals":
		file = os.DevNull
	}
	vcd := "$scope module top $end\n$var wire 1 ! x_q $end\n$upscope $end\n$enddefinitions $end\n"
	vcd += fmt.Sprintf("#0\n0!\n#1000\n%d!\n", value)
	if os.WriteFile(file, []byte(vcd), 0o666) != nil {
		return 2
	}
	text := fmt.Sprintf(`{"verdict": %q, "reason": "so it is", "block": "toy", "source": "replay", "seed": %d, "events": 2,
		"cycles": 20, "compared": {"responses": 1, "fields": 1}, "digest": "d", "results": [{}]}`, verdict, c.Seed)
	if os.WriteFile(out, []byte(text), 0o666) != nil {
		return 2
	}
	return exit
}

// head returns a campaign of one run for each seed of each source.
func head(t *testing.T, root string, seeds int, sources ...string) *campaign.Head {
	t.Helper()
	var runs []plan.Run
	for _, s := range sources {
		for seed := 1; seed <= seeds; seed++ {
			runs = append(runs, plan.Run{ID: fmt.Sprintf("%s.%d", s, seed), Test: s, Block: "toy", Source: s,
				Seed: uint64(seed), Events: 10, Design: "toy", Seconds: 60, MemoryMB: 4096,
				Args: []string{"cosim", "--block", "toy", "--source", s, "--seed", strconv.Itoa(seed), "--json", plan.JSON}})
		}
	}
	h, err := campaign.NewHead(root, "/proc/self/exe", "stage", "night", runs, plan.Goals{})
	require.NoError(t, err)
	return h
}

// repository returns the root of a repository that holds only a design.
func repository(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "hdl"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(root, "hdl", "toy.sv"), []byte("module toy; endmodule\n"), 0o666))
	return root
}

// config returns the configuration of a campaign here; begun returns the runs started since the last call, in order.
func config(t *testing.T, root string, h *campaign.Head) (c campaign.Config, begun func() []string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "begun")
	t.Setenv("FAKE_GOLDWIRE", log)
	exe, err := os.Executable()
	require.NoError(t, err)
	c = campaign.Config{Root: root, Program: exe, Dir: filepath.Join(t.TempDir(), "dir"), Head: h, Slots: 2,
		Note: func(line string) { t.Log(line) }}
	return c, func() []string {
		text, _ := os.ReadFile(log)
		_ = os.Remove(log)
		return strings.Fields(string(text))
	}
}
