package cache

import (
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/stim"
)

// A new field of an episode or an item must be written, read and named here, or refused by writer.episode. JSON holds
// the fields of the drive as long as they are exported.
func TestEveryFieldIsKept(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		want []string
	}{
		{reflect.TypeFor[stim.Episode](), []string{"Name", "Block", "Seed", "Drive", "Len", "Judge", "Tap",
			"Items", "Lanes", "Times", "one"}},
		{reflect.TypeFor[stim.Item](), []string{"Lane", "Wait", "Pair", "Gap", "More", "Late", "Words"}},
	} {
		var got []string
		for i := range c.of.NumField() {
			got = append(got, c.of.Field(i).Name)
		}
		require.Equal(t, c.want, got, "%s has other fields than records hold", c.of)
	}
	for _, of := range []reflect.Type{reflect.TypeFor[stim.DriveSpec](), reflect.TypeFor[stim.Gate](),
		reflect.TypeFor[stim.Reset](), reflect.TypeFor[head]()} {
		for i := range of.NumField() {
			require.True(t, of.Field(i).IsExported(), "%s.%s is not written", of, of.Field(i).Name)
		}
	}
}

// fill gives each field that can be kept a different, nonzero value.
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
	full := head{ep.Name, ep.Block, ep.Seed, ep.Len, true, ep.Drive}
	for name, h := range map[string]head{"full": full, "zero": {}, "negative": {Len: -1, Seed: math.MaxUint64,
		Drive: stim.DriveSpec{Resets: []stim.Reset{{After: -1, Delay: -2, Low: -3}}, Yield: -4, Ahead: -5}}} {
		text, err := appendText(nil, recEpisode, &h)
		require.NoError(t, err, name)
		var got head
		rest := records(text[1:])
		require.NoError(t, rest.text(text[0], recEpisode, &got), name)
		require.Empty(t, rest, name)
		require.Equal(t, h, got, name)
		require.Error(t, rest.text(text[0], recHeader, &got), name)
		for n := range len(text) - 1 { // a text cut anywhere is detected
			cut := records(text[1 : 1+n])
			require.Error(t, cut.text(text[0], recEpisode, &got), "%s: %d of %d", name, n, len(text))
		}
	}
	for _, it := range ep.Drive.Relief {
		for field := range 6 { // each alone
			one := stim.Item{Words: it.Words}
			reflect.ValueOf(&one).Elem().Field(field).Set(reflect.ValueOf(it).Field(field))
			first := firstWord(&one)
			require.Equal(t, one, itemOf(first, it.Words))
			require.EqualValues(t, recItem, uint8(first))
		}
	}
}

// A head longer than a chunk is kept too.
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
