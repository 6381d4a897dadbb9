package cache

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// A field that is added must be written, read, and named here; or be refused by listed.
func TestEveryFieldIsKept(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		want []string
	}{
		{reflect.TypeFor[stim.Episode](), []string{"Name", "Block", "Seed", "Drive", "Len", "Judge", "Tap", "Events",
			"Items", "Lanes", "Times", "one"}},
		{reflect.TypeFor[stim.DriveSpec](), []string{"Idle", "Stall", "Resets", "Gaps", "IdleMore", "StallMore", "ByLane",
			"Yield", "Ahead", "Relief"}},
		{reflect.TypeFor[stim.Item](), []string{"Lane", "Wait", "Pair", "Gap", "More", "Late", "Words"}},
		{reflect.TypeFor[stim.Gate](), []string{"Close", "Open"}},
		{reflect.TypeFor[stim.Reset](), []string{"After", "Delay", "Low"}},
	} {
		var got []string
		for i := range c.of.NumField() {
			got = append(got, c.of.Field(i).Name)
		}
		require.Equal(t, c.want, got, "%s has other fields than records hold", c.of)
	}
}

// fill gives every field that can be kept another value than its zero value, and than that of any other field.
func fill(v reflect.Value, next *uint64) {
	*next += 3
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Type().Field(i).Name != "ByLane" {
				fill(v.Field(i), next)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), int(2+*next%3), int(2+*next%3)))
		for i := range v.Len() {
			fill(v.Index(i), next)
		}
	case reflect.String:
		v.SetString("text "[:1+*next%4] + string(rune('a'+*next%26)) + "and more")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(*next))
	case reflect.Uint8, reflect.Uint16, reflect.Uint64:
		v.SetUint(*next)
	}
}

func TestHeadAndItemsAreKept(t *testing.T) {
	var ep stim.Episode
	next := uint64(0)
	fill(reflect.ValueOf(&ep).Elem(), &next)
	require.NotEmpty(t, ep.Drive.Relief)
	require.NotEmpty(t, ep.Drive.Relief[0].Words)
	require.NotZero(t, ep.Drive.Relief[0].Late)
	require.Less(t, next, uint64(256), "a lane is one byte")
	for name, e := range map[string]stim.Episode{"full": ep, "zero": {}, "negative": {Len: -1,
		Drive: stim.DriveSpec{Resets: []stim.Reset{{After: -1, Delay: -2, Low: -3}}, Yield: -4, Ahead: -5}}} {
		head, err := appendHead(nil, &e)
		require.NoError(t, err, name)
		require.EqualValues(t, recEpisode, head[0])
		w := words{rest: head[1:]}
		got, timed := w.head()
		require.False(t, w.short, name)
		require.Empty(t, w.rest, name)
		require.False(t, timed)
		require.Equal(t, &e, got, name)
		for n := range len(head) - 1 { // cut anywhere, it is known to be cut
			w := words{rest: head[1 : 1+n]}
			w.head()
			require.True(t, w.short, "%s: %d of %d", name, n, len(head))
		}
	}
	for _, it := range ep.Drive.Relief {
		for field := range 6 { // each alone
			one := stim.Item{Words: it.Words}
			reflect.ValueOf(&one).Elem().Field(field).Set(reflect.ValueOf(it).Field(field))
			first, err := firstWord(&one)
			require.NoError(t, err)
			require.Equal(t, one, itemOf(first, it.Words))
			require.EqualValues(t, recItem, uint8(first))
		}
	}
}

// A head that is longer than a chunk is kept, too.
func TestLongHead(t *testing.T) {
	b := newBench(t)
	l := list{episodes: 3, items: 10, change: func(n int, ep *stim.Episode) {
		if n == 1 {
			ep.Drive.Gaps = make([]uint16, 3*chunkWords)
			ep.Drive.Gaps[chunkWords] = 5
		}
	}}
	want, _ := b.pass(l)
	got, read := b.pass(l)
	require.True(t, read)
	require.Equal(t, want, got)
	require.Len(t, got[1].ep.Drive.Gaps, 3*chunkWords)
}
