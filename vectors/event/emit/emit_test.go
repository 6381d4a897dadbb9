package emit_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/emit"
)

// What the build generates is what `make gen` checks in for the blocks of this tree.
func TestPortsAreThoseOfGen(t *testing.T) {
	for _, name := range []string{"ccc", "trimmer"} {
		b, err := event.Load("../" + name + "/schema.yaml")
		require.NoError(t, err)
		want, err := os.ReadFile("../../../hdl/gen/" + name + "_ports.h")
		require.NoError(t, err)
		require.Equal(t, string(want), emit.Ports(b))
	}
}
