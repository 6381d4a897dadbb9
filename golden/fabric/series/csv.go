package series

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/goldwire/goldwire/golden/cc"
)

// Columns of the file, one row for each flow or port in each interval. Those of ports are empty in rows of flows, and
// the other way round.
var columns = []string{"time_ps", "flow", "rate_gbps", "window_bytes", "rtt_ps", "port", "queue_bytes", "utilisation",
	"pauses"}

// WriteCSV writes the series with a header. A value that there is not is empty: the round trip of an interval without
// an acknowledgement, the window of a control that has none. A series without a row is an error.
func (s *Series) WriteCSV(w io.Writer) error {
	rows := 0
	out := csv.NewWriter(w)
	put := func(cells ...string) error { rows++; return out.Write(cells) }
	if err := out.Write(columns); err != nil {
		return err
	}
	whole := func(v int64) string {
		if v < 0 || v >= cc.NoWindow {
			return ""
		}
		return strconv.FormatInt(v, 10)
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
	for i := range s.Flows {
		f := &s.Flows[i]
		for b, p := range f.Points {
			if err := put(whole(int64(f.First+b)*int64(s.Every)), strconv.Itoa(int(f.ID)), number(p.Gbps), whole(p.Window),
				whole(int64(p.RTT)), "", "", "", ""); err != nil {
				return err
			}
		}
	}
	for i := range s.Ports {
		for b, p := range s.Ports[i].Points {
			if err := put(whole(int64(b)*int64(s.Every)), "", "", "", "", s.Ports[i].Name, whole(p.Queue),
				number(p.Utilisation), strconv.Itoa(p.Pauses)); err != nil {
				return err
			}
		}
	}
	if rows == 0 {
		return ErrNothing
	}
	out.Flush()
	return out.Error()
}
