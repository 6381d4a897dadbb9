// Package formats holds the number formats of a block as data: the Q format and rounding of each stored and each
// intermediate value, and whether it saturates or wraps. vectors/event/<block>/formats.yaml has the formats of the
// contract; other files and single settings change some, to find out what another format would do.
//
//	t := ccc.Formats()
//	err := t.Set("alpha", "UQ16.14") // two fraction bits fewer
//	v, _ := t.Lookup("alpha")
//	fmt.Println(v.Format.Frac, v.Round, v.Over) // 14 nearest-even wrap
package formats
