package distrust

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
)

// formReport is the verdict of one report, as its readers see it.
type formReport struct {
	form   string
	passes bool
}

func (w *World) report(ending string) string { return filepath.Join(w.Out, "r."+ending) }

// banner matches the verdict at the top of the HTML page.
var banner = regexp.MustCompile(`<div class="verdict [a-z]*"><b>([^<]*)</b>`)

// passing reads the reports that exist. JUnit is judged as continuous integration does: it passes with no failures, no
// errors and at least one test that was not skipped.
func (w *World) passing() (out []formReport) {
	read := func(form, ending string, passes func([]byte) bool) {
		if text, err := os.ReadFile(w.report(ending)); err == nil {
			out = append(out, formReport{form, passes(text)})
		}
	}
	read("JSON", "json", func(text []byte) bool {
		var doc struct{ Verdict string }
		return json.Unmarshal(text, &doc) == nil && doc.Verdict == "pass"
	})
	read("JUnit", "xml", func(text []byte) bool {
		var doc struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Skipped  int `xml:"skipped,attr"`
		}
		return xml.Unmarshal(text, &doc) == nil && doc.Failures+doc.Errors == 0 && doc.Skipped < max(doc.Tests, 1)
	})
	read("HTML", "html", func(text []byte) bool {
		m := banner.FindSubmatch(text)
		return m == nil || bytes.Equal(m[1], []byte("PASS"))
	})
	return out
}
