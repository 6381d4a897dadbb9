package fabric

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The cache of stimulus identifies a simulation by the program that holds its settings, so no setting may name a file.
func TestSimulationsReadNoFile(t *testing.T) {
	for _, all := range []Simulations{NIC, Switch, Telemetered, {"turnover"}} {
		for _, name := range all {
			spec, err := all.Spec(name, 1)
			require.NoError(t, err)
			require.Equal(t, []string{"TopologyFile", "MatrixFile"}, files(t, reflect.ValueOf(spec)), name)
		}
	}
}

// files returns the fields that can name a file. They must be empty.
func files(t *testing.T, v reflect.Value) (names []string) {
	t.Helper()
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; strings.HasSuffix(name, "File") {
			require.Empty(t, v.Field(i).String(), name)
			names = append(names, name)
		}
		names = append(names, files(t, v.Field(i))...)
	}
	return names
}
