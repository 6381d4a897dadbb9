package conform

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets eight tests run at a time: they wait for servers that do not answer, not for a processor.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
