package rtt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each label stands for the value beside it, and the neighbours of a corner are not in its class.
func TestClasses(t *testing.T) {
	for service, want := range map[uint16]string{
		0: "0", 1: "1", 2: "usual", 0xfffd: "usual", 0xfffe: "0xFFFE", 0xffff: "0xFFFF",
	} {
		require.Equal(t, want, Services[Service(service)], "%#x", service)
	}
	for raw, want := range map[uint64]string{
		0: "0", 1: "1", 2: "usual", 1<<31 - 2: "usual", 1<<31 - 1: "2^31-1", 1 << 31: "2^31", 1<<31 + 1: "larger",
		1<<47 - 1: "larger", 1 << 47: "negative", 1<<48 - 1: "negative",
	} {
		require.Equal(t, want, Values[Value(raw)], "%#x", raw)
	}
}
