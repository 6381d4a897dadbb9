package verify_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	model "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim/txstate"
	"github.com/goldwire/goldwire/vectors/tool/suite"
	"github.com/goldwire/goldwire/vectors/tool/tooltest"
	"github.com/goldwire/goldwire/vectors/tool/verify"
)

const events = 50

// played returns a file of what the model answers to random events, and the model. edit may change the records; one for
// which it returns false is left out.
func played(t *testing.T, edit func(l *event.Layout, rec *format.Record) bool) ([]byte, event.Model) {
	t.Helper()
	o := suite.Order{Source: "random", Per: format.PerTransaction, Events: events, Seed: 5, TickNs: 1,
		Block: suite.Block{Stimulus: &txstate.Suite, NewModel: func(p map[string]int) (event.Model, error) {
			return model.New(model.Spec{NumPdcs: p["NumPdcs"], Depth: p["Depth"]})
		}}}
	spec, err := o.Spec()
	require.NoError(t, err)
	var whole, edited bytes.Buffer
	_, err = record.Write(t.Context(), &whole, spec)
	require.NoError(t, err)
	r, err := format.NewReader(&whole)
	require.NoError(t, err)
	h := *r.Header()
	h.Pairing = format.PairOrder // an edited file need not have every answer
	w, err := format.NewWriter(&edited, h)
	require.NoError(t, err)
	for rec, err := range r.All() {
		require.NoError(t, err)
		if edit != nil && !edit(r.Layout(), rec) {
			continue
		}
		if rec.Mark != nil {
			w.Mark(rec.Mark.Name, rec.Mark.Seed)
		}
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	return edited.Bytes(), spec.Model
}

func file(t *testing.T, w io.Writer, data []byte, m event.Model, most int) (bool, error) {
	t.Helper()
	f := tooltest.File("f.gwv", data)
	r, done, err := f.Open()
	require.NoError(t, err)
	defer done()
	return verify.File(t.Context(), w, &f, r, m, most)
}

func TestAgreementIsCounted(t *testing.T) {
	data, m := played(t, nil)
	var out bytes.Buffer
	differ, err := file(t, &out, data, m, 10)
	require.NoError(t, err)
	require.False(t, differ)
	require.Regexp(t, `^f.gwv: 50 transactions agree with today's model \(50 ev, \d+ rsp\)\n$`, out.String())
}

func TestDifferencesAreFoundAndCounted(t *testing.T) {
	data, m := played(t, tooltest.Flip(3, 20, 49))
	var out bytes.Buffer
	differ, err := file(t, &out, data, m, 2)
	require.NoError(t, err)
	require.True(t, differ)
	require.Equal(t, 3, bytes.Count(out.Bytes(), []byte("\n")), "the first two, and a line for all: %s", &out)
	require.Contains(t, out.String(), "transaction 3 (random/0): rsp.")
	require.Contains(t, out.String(), "f.gwv: 3 of 50 transactions differ from today's model\n")
}

// A difference stays found when the file proves damaged after it.
func TestDifferenceOutlivesDamage(t *testing.T) {
	data, m := played(t, tooltest.Flip(0))
	differ, err := file(t, io.Discard, data[:len(data)-3], m, 1)
	require.ErrorContains(t, err, "f.gwv: ")
	require.True(t, differ)
	data, m = played(t, nil)
	differ, err = file(t, io.Discard, data[:len(data)-3], m, 1)
	require.ErrorContains(t, err, "f.gwv: ")
	require.False(t, differ)
}

func TestNothingComparedIsAnError(t *testing.T) {
	none, m := played(t, func(*event.Layout, *format.Record) bool { return false })
	differ, err := file(t, io.Discard, none, m, 1)
	require.ErrorContains(t, err, "f.gwv: it has no records, so nothing was checked")
	require.False(t, differ)
}

// full is a disk that has no room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestResultThatCannotBePrintedIsAnError(t *testing.T) {
	data, m := played(t, nil)
	differ, err := file(t, full{}, data, m, 1)
	require.ErrorIs(t, err, io.ErrShortWrite)
	require.False(t, differ)
	data, m = played(t, tooltest.Flip(4))
	differ, err = file(t, full{}, data, m, 1)
	require.ErrorIs(t, err, io.ErrShortWrite)
	require.True(t, differ, "what was found stays found")
}

func TestOtherInterfacesDoNotSuit(t *testing.T) {
	data, _ := played(t, nil)
	f := tooltest.File("f.gwv", data)
	r, done, err := f.Open()
	require.NoError(t, err)
	defer done()
	require.NoError(t, verify.Suits(r, txstate.Suite.Schema))
	other := *txstate.Suite.Schema
	other.Constants = append([]event.Constant{{Name: "Extra", Value: 1}}, other.Constants...)
	require.NotEqual(t, other.Hash(), txstate.Suite.Schema.Hash())
	err = verify.Suits(r, &other)
	require.ErrorContains(t, err, "the interface has changed since")
	require.ErrorContains(t, err, "goldwire vectors gen --block txstate")
}
