package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

func toy(t *testing.T) *event.Block {
	t.Helper()
	b, err := event.Parse([]byte(`block: toy
title: takes numbers and packets
params:
  - {name: Depth, default: 4, min: 2, max: 8, doc: entries}
enums:
  - {name: kind, width: 2, values: [{name: ADD, value: 0}, {name: GET, value: 1}]}
streams:
  - {name: ev, dir: in, fields: [{name: kind, width: 2, enum: kind, open: true}, {name: x, width: 64}]}
  - name: rx
    dir: in
    fields: [{name: data, width: 128}, {name: keep, width: 16}, {name: last, width: 1}]
  - {name: rsp, dir: out, fields: [{name: y, width: 16}]}
  - {name: tx, dir: out, fields: [{name: z, width: 16}]}
`))
	require.NoError(t, err)
	return b
}

// sample returns a corpus that uses everything a file can hold.
func sample(b *event.Block) *Corpus {
	l := event.NewLayout(b)
	item := func(lane int, set func(words []uint64)) stim.Item {
		it := stim.Item{Lane: lane, Words: make([]uint64, l.In.Words)}
		set(it.Words)
		return it
	}
	beat := func(last uint64) stim.Item {
		return item(1, func(w []uint64) {
			s := l.In.Slot("rx", "data")
			w[s.Word], w[s.Word+1] = 0x0123456789abcdef, 1<<63
			l.In.Slot("rx", "keep").Set(w, 0xffff)
			l.In.Slot("rx", "last").Set(w, last)
		})
	}
	ev := func(kind, x uint64) stim.Item {
		return item(0, func(w []uint64) {
			l.In.Slot("ev", "kind").Set(w, kind)
			l.In.Slot("ev", "x").Set(w, x)
		})
	}
	first, second, third, unknown := ev(0, 1<<64-1), beat(0), beat(1), ev(3, 0)
	first.Gap, second.More = 65535, true
	second.Wait, third.Wait = 1, stim.WaitAll
	paired := ev(1, 7)
	paired.Wait, paired.Pair, paired.Gap = third.Wait, true, 3
	return &Corpus{Block: b.Name, Schema: b.Hash(), Params: map[string]int{"Depth": 8}, Cases: []Case{
		{Name: "guided/3", Seed: 1<<64 - 1, Items: []stim.Item{first, second, third, paired, unknown},
			Drive: stim.DriveSpec{Idle: stim.Gate{Close: 1, Open: 65535}, StallMore: []stim.Gate{{Close: 7, Open: 9}},
				Resets: []stim.Reset{{Low: 2}, {After: 2, Delay: 5, Low: 1}}, Ahead: 4, Relief: []stim.Item{ev(1, 9)}}},
		{Name: "guided/8", Items: []stim.Item{ev(1, 0)}, Drive: stim.DriveSpec{Resets: []stim.Reset{{Low: 1}}}},
	}}
}

func written(t *testing.T, c *Corpus, b *event.Block) string {
	t.Helper()
	var text strings.Builder
	require.NoError(t, c.Write(&text, b))
	return text.String()
}

// A corpus reads back as written: every item, gate and reset.
func TestReadAsWritten(t *testing.T) {
	b := toy(t)
	want := sample(b)
	got, err := Parse(written(t, want, b), b)
	require.NoError(t, err)
	require.Equal(t, want.Params, got.Params)
	require.Equal(t, 5, got.Events(), "a packet of two beats is one event")
	require.Len(t, got.Cases, len(want.Cases))
	for i, c := range want.Cases {
		require.Equal(t, c.Items, got.Cases[i].Items, c.Name)
		d := got.Cases[i].Drive
		if len(d.StallMore) == 0 {
			d.StallMore = c.Drive.StallMore
		}
		require.Equal(t, c.Drive, d, c.Name)
		require.Equal(t, c.Seed, got.Cases[i].Seed)
		require.Equal(t, c.Name, got.Cases[i].Name)
	}
}

// A corpus that would play less than its first line promises, or nothing, is an error.
func TestNothingToPlayIsNoCorpus(t *testing.T) {
	b := toy(t)
	whole := written(t, sample(b), b)
	empty := *sample(b)
	empty.Cases = nil
	replaced := func(old, by string) string {
		require.Contains(t, whole, old)
		return strings.Replace(whole, old, by, 1)
	}
	for _, c := range []struct{ text, want string }{
		{"", "its first line does not begin with"},
		{"case guided/1\nGET\n", "its first line does not begin with"},
		{written(t, &empty, b), "it is empty"},
		{strings.SplitAfter(whole, "\n")[0], "it has 0 cases of 0 events, its first line promises 2 of 5"},
		{whole[:strings.Index(whole, "\ncase guided/8")], "it has 1 cases of 4 events, its first line promises 2 of 5"},
		{replaced("ev kind=3\n", ""), "it has 2 cases of 4 events"},
		{replaced("ev kind=3\n", "ev kind=3\nGET\n"), "it has 2 cases of 6 events"},
		{replaced("\nGET\n", "\n"), "case guided/8 has no events"},
		{replaced("reset after=0 delay=0 low=1\n", ""), "case guided/8 has no reset"},
		{replaced("reset after=0 delay=0 low=1\n", "reset after=1\n"), "case guided/8 has no reset at its beginning"},
		{replaced("delay=0 low=1\n", "delay=0 low=0\n"), "it resets nothing"},
		{replaced("after=2 delay=5", "after=6 delay=5"), "a reset after 6 of its 5 items"},
		{replaced("case guided/8", "case other/8"), "case other/8 is not named guided/..."},
		{replaced("case guided/8\n", "case guided/8\nparams Depth=2\n"), "case guided/8 states params"},
		{replaced("GET x=7", "GET x=7 -> y=3"), "stream ev has no answers"},
		{replaced("GET x=7", "GET x=7 => y=3"), "stream ev has no answers"},
		{replaced("ev kind=3\n", "ev kind=3\nfinal x=3\n"), "expectations are not allowed here"},
		{replaced("ev kind=3", "ev kind=7"), "the field has 2 bits"},
		{replaced("gap=65535", "gap=65536"), "want 0 to 65535"},
		{replaced("ADD x=18", "ADD paired x=18"), "no item precedes it"},
		{replaced("case guided/8\n", "case guided/8\ngap 3\n"), "no item precedes it"},
		{replaced("relief GET x=9", "relief"), "the kind of the event is missing"},
		{replaced("block=toy", "block=other"), "it is of block other"},
		{replaced(b.Hash(), "0123"), "schema hash 0123"},
		{replaced(" Depth=8", ""), "does not have all parameters"},
		{replaced(" Depth=8", " Depth=9"), "Depth"},
		{replaced(" Depth=8", " Width=9"), "no such parameter"},
		{replaced("cases=2", "cases=two"), "want a number"},
		{replaced("x=7", "w=7"), `no field "w"`},
		{replaced("x=7", "x=seven"), "seven"},
		{replaced("GET x=7", "PUT x=7"), `"PUT"`},
		{replaced("rx beat data", "rx data"), "is not known"},
		{replaced("_0000000000000080", "_00"), "is not 16 bytes in hex"},
		{replaced("chain 1 65535", "chain 1 65536"), "want density N"},
		{replaced("chain 1 65535", "chain 1 0"), "want density N"},
		{replaced("ahead 4", "ahead 65"), "want at most 64"},
		{replaced("guided/8", "guided/3"), "named twice"},
	} {
		_, err := Parse(c.text, b)
		require.ErrorIs(t, err, ErrCorpus, c.want)
		require.ErrorContains(t, err, c.want)
	}
}

// The error for a missing file names the command that writes it; the error for a wrong one names the file.
func TestReadErrors(t *testing.T) {
	b, dir := toy(t), t.TempDir()
	_, err := Read(dir, b)
	require.ErrorIs(t, err, ErrCorpus)
	require.ErrorContains(t, err, "goldwire guide --block toy -o "+dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, File), []byte("case x\n"), 0o644))
	_, err = Read(dir, b)
	require.ErrorContains(t, err, filepath.Join(dir, File))
	require.NoError(t, os.WriteFile(filepath.Join(dir, File), []byte(written(t, sample(b), b)), 0o644))
	_, err = Read(dir, b)
	require.NoError(t, err)
}

// A case can be played alone by name. Another size of the block and an unknown case are refused.
func TestOpen(t *testing.T) {
	c := sample(toy(t))
	names := func(name string) (out []string) {
		src, err := c.Open(name, c.Params)
		require.NoError(t, err)
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			out = append(out, ep.Name)
		}
		require.NoError(t, src.Err())
		return out
	}
	require.Equal(t, []string{"guided/3", "guided/8"}, names(SourceName))
	require.Equal(t, []string{"guided/8"}, names("guided/8"))
	_, err := c.Open("guided/9", c.Params)
	require.ErrorContains(t, err, "no case 9")
	_, err = c.Open(SourceName, map[string]int{"Depth": 4})
	require.ErrorContains(t, err, "Depth=8, the design has 4")
}

// Anything that has no form as text is an error; it is never left out.
func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	b := toy(t)
	for _, change := range []func(*stim.DriveSpec){
		func(d *stim.DriveSpec) { d.ByLane = true },
		func(d *stim.DriveSpec) { d.Yield = 3 },
		func(d *stim.DriveSpec) { d.Gaps = []uint16{1} },
	} {
		c := sample(b)
		change(&c.Cases[0].Drive)
		require.ErrorContains(t, c.Write(&strings.Builder{}, b), "no form as text")
	}
}
