package capture

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tshark returns what tshark shows of fields of a capture with a dissector, one row for each packet.
func tshark(t *testing.T, lua string, file []byte, fields []string) [][]string {
	t.Helper()
	dir := t.TempDir()
	script, pcap := filepath.Join(dir, "uet.lua"), filepath.Join(dir, "l.pcapng")
	require.NoError(t, os.WriteFile(script, []byte(lua), 0o600))
	require.NoError(t, os.WriteFile(pcap, file, 0o600))
	args := []string{"-X", "lua_script:" + script, "-r", pcap, "-T", "fields"}
	for _, f := range fields {
		args = append(args, "-e", f)
	}
	cmd := exec.Command("tshark", args...)
	cmd.Env = append(os.Environ(), "HOME="+dir)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, errs.String())
	require.NotContains(t, errs.String(), "Lua", "an error of the script")
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}

// TestTsharkDecodesCaptures: every field that tshark shows is what the packet held, and no other.
func TestTsharkDecodesCaptures(t *testing.T) {
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Skip("tshark is not installed: apt-get install tshark")
	}
	file, wants, list := everything(t)
	text := Dissector(DefaultSpec())
	_, signed, _ := readLua(text)
	fields := []string{"uet.class"}
	for name := range signed {
		fields = append(fields, "uet."+name)
	}
	ours := len(fields)
	for _, name := range []string{"bth.opcode", "bth.p_key", "bth.destqp", "bth.psn"} {
		fields = append(fields, "infiniband."+name)
	}
	fields = append(fields, "_ws.malformed", "udp.srcport")
	number := func(text string) string {
		var out []string
		for _, one := range strings.Split(text, ",") {
			if v, err := strconv.ParseUint(one, 0, 64); err == nil {
				one = strconv.FormatUint(v, 10)
			}
			out = append(out, one)
		}
		return strings.Join(out, ",")
	}
	differences := func(lua string) (out []string) {
		rows := tshark(t, lua, file, fields)
		require.Len(t, rows, len(wants))
		for i, row := range rows {
			want := wants[i]
			require.Len(t, row, len(fields))
			for k, name := range fields[:len(fields)-2] {
				short := strings.TrimPrefix(strings.TrimPrefix(name, "uet."), "infiniband.")
				if want := want[short]; number(row[k]) != want {
					out = append(out, fmt.Sprintf("packet %d: %s: want %q, got %q", i, name, want, row[k]))
				}
			}
			require.Empty(t, row[len(fields)-2], "malformed")
			if i < len(list) {
				require.Equal(t, fmt.Sprint(SourcePort(list[i].Entropy)), row[len(fields)-1])
			}
		}
		return out
	}
	require.Greater(t, ours, 40)
	require.Empty(t, differences(text))
	wrong := strings.Replace(text, `{"rcvd_bytes", 216, 24}`, `{"rcvd_bytes", 215, 24}`, 1)
	require.NotEqual(t, text, wrong)
	require.NotEmpty(t, differences(wrong))
}
