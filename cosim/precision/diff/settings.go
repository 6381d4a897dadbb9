package diff

import (
	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Setting is a value whose format is not the contract's.
type Setting = baseline.Setting

// Changes returns the values whose formats in a table are not the contract's.
func Changes(table, contract *formats.Table) (out []Setting) {
	for _, v := range table.Changed(contract) {
		c, _ := contract.Lookup(v.Name)
		out = append(out, Setting{Name: v.Name, Contract: c.String(), Format: v.String()})
	}
	return out
}

// SettingSheets returns the sheet of such values, none when there are none.
func SettingSheets(changed []Setting) []report.Sheet {
	if len(changed) == 0 {
		return nil
	}
	s := report.Sheet{Title: "Formats that are not the contract's", Head: []string{"value", "contract", "here"}}
	for _, c := range changed {
		s.Row(c.Name, c.Contract, c.Format)
	}
	return []report.Sheet{s}
}
