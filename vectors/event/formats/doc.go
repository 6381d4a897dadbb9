// Package formats holds the number formats of a block as data: of each stored and each intermediate value its Q format,
// its rounding and what becomes of it beyond the ends. vectors/event/<block>/formats.yaml has them as the contract
// gives them; other files and single settings change some, to ask what another format would do.
//
//	t := ccc.Formats()
//	err := t.Set("alpha", "UQ16.14") // two fraction bits fewer
//	v, _ := t.Lookup("alpha")
//	fmt.Println(v.Format.Frac, v.Round, v.Over) // 14 nearest-even wrap
package formats
