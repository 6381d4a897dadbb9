// Package tolerance judges the answers of a design whose word lengths are not the contract's: right, but not equal bit
// for bit.
//
// A Rule says how one value is judged: exactly, within a bound, not at all, or, for a decision, how often it may
// differ. Values are the fields of the output streams (rsp.cwnd), and what comes through the field data of a response:
// the state words of a block (word.inc_bytes) and its registers (register.GAMMA). What has no rule is exact.
//
//	set, err := tolerance.Compile(block, "rsp.cwnd", tolerance.Given{Absolute: &four})
//	j := tolerance.NewJudge(block, []tolerance.Rule{rule})
//	if ok, flips := j.Look(&response); ok && !flips {
//		j.Keep(where)
//	}
//	section := j.Section(events)
//
// A Judge compares, counts what was compared and how close it came, and makes the section of the report. It never
// compares less than its rules say: a value of which nothing was compared, and rules that leave nothing to compare, are
// errors or faults of the section.
package tolerance
