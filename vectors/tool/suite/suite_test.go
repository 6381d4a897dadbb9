package suite_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim/txstate"
	"github.com/goldwire/goldwire/vectors/tool/suite"
)

func block() suite.Block {
	return suite.Block{Stimulus: &txstate.Suite, NewModel: func(p map[string]int) (event.Model, error) {
		return model.New(model.Spec{NumPdcs: p["NumPdcs"], Depth: p["Depth"]})
	}}
}

// folder keeps what is written.
type folder map[string]*bytes.Buffer

func (f folder) create(name string) (io.WriteCloser, error) {
	f[name] = &bytes.Buffer{}
	return closer{f[name]}, nil
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

func TestSuiteOfABlock(t *testing.T) {
	f, made := folder{}, 0
	m, err := suite.Write(t.Context(), suite.Spec{Level: "smoke", Seed: 3, Blocks: []suite.Block{block()},
		Create: f.create,
		Made:   func(*suite.File) { made++ }})
	require.NoError(t, err)
	require.Len(t, m.Files, 2*len(txstate.Suite.Sources), "both kinds of record of every source")
	require.Equal(t, made, len(m.Files))
	require.Len(t, f, made+2)
	for _, x := range m.Files {
		data := f[x.Name].Bytes()
		sum := sha256.Sum256(data)
		require.Equal(t, x.SHA256, hex.EncodeToString(sum[:]))
		require.EqualValues(t, len(data), x.Bytes)
		require.NotZero(t, x.Totals.Records)
		require.Contains(t, f["README.md"].String(), x.Name)
		require.Contains(t, f["manifest.json"].String(), x.SHA256)
		r, err := format.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		require.EqualValues(t, 3, r.Header().Seed)
	}
}

func TestSuitesThatCannotBeMade(t *testing.T) {
	f := folder{}
	_, err := suite.Write(t.Context(), suite.Spec{Level: "more", Blocks: []suite.Block{block()}, Create: f.create})
	require.ErrorContains(t, err, `level "more": unknown`)
	_, err = suite.Write(t.Context(), suite.Spec{Level: "smoke", Create: f.create})
	require.ErrorContains(t, err, "nothing to write", "an empty suite is no suite")
	full := errors.New("disk full")
	_, err = suite.Write(t.Context(), suite.Spec{Level: "smoke", Blocks: []suite.Block{block()},
		Create: func(string) (io.WriteCloser, error) { return broken{full}, nil }})
	require.ErrorIs(t, err, full)
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }
func (b broken) Close() error              { return nil }

func TestOrders(t *testing.T) {
	o := suite.Order{Block: block(), Source: "fabric:incast32", Events: 50, Seed: 9, TickNs: 128,
		Params: map[string]int{"Depth": 16}}
	spec, err := o.Spec()
	require.NoError(t, err)
	require.Equal(t, []string{"vectors", "gen", "--block", "txstate", "--source", "fabric:incast32", "--per",
		"transaction", "--seed", "9",
		"--events", "50", "--tick", "128ns", "--param", "Depth=16", "--param", "NumPdcs=16"}, spec.Args)
	o.Source, o.Level = "directed/order", "smoke"
	spec, err = o.Spec()
	require.NoError(t, err)
	require.Zero(t, spec.Events, "directed cases are whole")
	require.Equal(t, 1, spec.TickNs, "and have no tick")
	o.Per = "packet"
	_, err = o.Spec()
	require.ErrorContains(t, err, `kind of record "packet"`)
	o.Per, o.Params = "", map[string]int{"Depth": 3}
	_, err = o.Spec()
	require.ErrorContains(t, err, "Depth: 3 is not a power of two")
}
