package traffic

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"sort"
	"strconv"
	"strings"
)

//go:embed cdf/*.csv
var tables embed.FS

// CDF is a distribution of flow sizes: at Size[i] bytes, Share[i] of all flows are no larger; linear between.
type CDF struct {
	Size  []float64
	Share []float64 // 0 to 1
}

// TableNames returns the names of the built-in tables.
func TableNames() []string {
	var out []string
	entries, _ := fs.ReadDir(tables, "cdf")
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".csv"))
	}
	sort.Strings(out)
	return out
}

// LoadCDF returns the built-in table of that name or, when there is none, the file of that name: CSV with a header,
// then size in bytes and share in percent. It errors when there is neither, or when the table is not a distribution.
func LoadCDF(name string) (*CDF, error) {
	text, err := tables.ReadFile("cdf/" + name + ".csv")
	if err != nil {
		if text, err = ReadRegular(name); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("flow-size table %q: no such file, nor one of %s", name, strings.Join(TableNames(), ", "))
		} else if err != nil {
			return nil, fmt.Errorf("flow-size table: %w", err)
		}
	}
	c, err := parseCDF(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("flow-size table %s: %w", name, err)
	}
	return c, nil
}

func parseCDF(r io.Reader) (*CDF, error) {
	c := &CDF{}
	in := bufio.NewScanner(r)
	for line := 1; in.Scan(); line++ {
		text := strings.TrimSpace(in.Text())
		if line == 1 || text == "" {
			continue
		}
		a, b, ok := strings.Cut(text, ",")
		size, err1 := strconv.ParseFloat(a, 64)
		share, err2 := strconv.ParseFloat(b, 64)
		if !ok || err1 != nil || err2 != nil || !(size >= 0) || size > 1<<40 || !(share >= 0 && share <= 100+1e-6) {
			return nil, fmt.Errorf("line %d: %q: want size_bytes,cdf_percent", line, text)
		}
		if n := len(c.Size); n > 0 && (size < c.Size[n-1] || share/100 < c.Share[n-1]) {
			return nil, fmt.Errorf("line %d: sizes and shares must not fall", line)
		}
		c.Size, c.Share = append(c.Size, size), append(c.Share, share/100)
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	if n := len(c.Share); n < 2 || math.Abs(c.Share[n-1]-1) > 1e-9 {
		return nil, errors.New("want two lines or more, the last at 100 percent")
	}
	return c, nil
}

// Mean returns the mean size in bytes.
func (c *CDF) Mean() float64 {
	m := c.Size[0] * c.Share[0]
	for i := 1; i < len(c.Size); i++ {
		m += float64((c.Size[i] + c.Size[i-1]) / 2 * (c.Share[i] - c.Share[i-1]))
	}
	return m
}

// Draw returns a size, at least 1 byte.
func (c *CDF) Draw(r *rand.Rand) int64 {
	u := r.Float64()
	i := sort.SearchFloat64s(c.Share, u)
	if i == 0 {
		return max(1, int64(c.Size[0]))
	}
	i = min(i, len(c.Share)-1)
	lo, hi := c.Share[i-1], c.Share[i]
	size := c.Size[i]
	if hi > lo {
		size = c.Size[i-1] + float64((u-lo)/(hi-lo)*(c.Size[i]-c.Size[i-1]))
	}
	return max(1, int64(size))
}

// Poisson returns flows messages in the order of their starts: every host sends
// at load of its link rate, with exponential gaps and uniform destinations. The
// arrivals of all hosts together are one Poisson process whose sources are uniform.
func Poisson(r *rand.Rand, hosts, flows int, c *CDF, load, gbps float64) []Message {
	gap := c.Mean() * 8000 / (gbps * load) / float64(hosts) // picoseconds
	out := make([]Message, flows)
	t := 0.0
	for i := range out {
		t += float64(r.ExpFloat64() * gap)
		src, dst := r.IntN(hosts), r.IntN(hosts-1)
		if dst >= src {
			dst++
		}
		out[i] = Message{Src: int32(src), Dst: int32(dst), Bytes: c.Draw(r), Start: int64(t), Conn: int32(i)}
	}
	return out
}
