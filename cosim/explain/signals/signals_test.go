package signals

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const header = `$version Generated $end
$timescale 1ps $end
 $scope module TOP $end
  $scope module top $end
   $var wire  1 # clk_i $end
   $var wire  8 ! count_q [7:0] $end
   $scope module gen_lane[1] $end
    $scope module u_deep $end
     $var wire  8 ! count_i [7:0] $end
     $var wire  4 % next [3:0] $end
    $upscope $end
   $upscope $end
  $upscope $end
 $upscope $end
$enddefinitions $end


`

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.vcd")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// The first time at which a signal differs counts, whatever differs later.
func TestParting(t *testing.T) {
	good := file(t, header+"#0\n0#\nb0 !\nb0 %\n#500\n1#\nb1 !\n#1000\n0#\nb10 %\n#1500\n1#\nb10 !\n")
	late := file(t, header+"#0\n0#\nb0 !\nb0 %\n#500\n1#\nb1 !\n#1000\n0#\nb11 %\n#1500\n1#\nb11 !\n")
	p, err := Compare(late, good)
	require.NoError(t, err)
	require.Equal(t, &Parting{Cycle: 1, Signals: []string{"top.gen_lane[1].u_deep.next"}}, p)
	origin, beside := p.Origin()
	require.Equal(t, "top.gen_lane.u_deep.next", origin)
	require.Empty(t, beside)

	same, err := Compare(good, good)
	require.NoError(t, err)
	require.Nil(t, same)

	// A register, and the input port that shows it further down: the register.
	first := file(t, header+"#0\n0#\nb0 !\nb0 %\n#500\n1#\nb11 !\n")
	p, err = Compare(first, good)
	require.NoError(t, err)
	require.Equal(t, []string{"top.count_q", "top.gen_lane[1].u_deep.count_i"}, p.Signals)
	origin, beside = p.Origin()
	require.Equal(t, "top.count_q", origin)
	require.Empty(t, beside, "a port is of another rank")

	// The words of one memory are one signal.
	p = &Parting{Signals: []string{"top.b", "top.u_x.mem[1]", "top.u_x.mem[2]", "top.u_x.x_o"}}
	origin, beside = p.Origin()
	require.Equal(t, "top.u_x.mem", origin)
	require.Equal(t, "top.b", beside)
}

// Signals that one design alone has are counted, not compared.
func TestLacking(t *testing.T) {
	a := file(t, "$var wire 1 ! a $end\n$var wire 1 % b $end\n$enddefinitions $end\n#0\n0!\n0%\n#1000\n1!\n")
	b := file(t, "$var wire 1 ! a $end\n$var wire 1 % c $end\n$enddefinitions $end\n#0\n0!\n1%\n#1000\n0!\n")
	p, err := Compare(a, b)
	require.NoError(t, err)
	require.Equal(t, &Parting{Cycle: 1, Signals: []string{"a"}, Lacking: 2}, p)
}

// Files that are not from two designs playing the same events are refused.
func TestRefused(t *testing.T) {
	good := header + "#0\n0#\nb0 !\n"
	for name, x := range map[string]struct{ a, b, want string }{
		"empty":          {"", good, "header: unexpected EOF"},
		"cut header":     {header[:80], good, "header: unexpected EOF"},
		"no signal":      {"$enddefinitions $end\n#0\n", good, "names no signal"},
		"no time":        {header, good, "no time: unexpected EOF"},
		"unknown signal": {header + "#0\n0?\n", good, "of no signal of the header"},
		"no identifier":  {header + "#0\nb01\n", good, "has no signal"},
		"bad time":       {header + "#x\n", good, `time "#x"`},
		"other times":    {good, header + "#7\n0#\n", "time 0 in one is time 7 in the other"},
		"other names":    {good, "$var wire 1 ! z $end\n$enddefinitions $end\n#0\n0!\n", "no signal of the same name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compare(file(t, x.a), file(t, x.b))
			require.ErrorContains(t, err, x.want)
		})
	}
	_, err := Compare(filepath.Join(t.TempDir(), "gone"), file(t, good))
	require.ErrorIs(t, err, os.ErrNotExist)
}
