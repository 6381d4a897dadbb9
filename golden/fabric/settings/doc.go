// Package settings describes a run: Spec is everything that it depends on, apart from a list of messages that a program
// may give. A setting is one value of a Spec with a path, such as link.gbps, under which --set and files know it. Each
// has one row (rows.go), from which its parsing, help, default, limits and the cases in which it changes nothing
// follow.
//
//	s := settings.DefaultSpec()
//	err := s.Set("link.gbps", "800")
//	err = s.Validate()                                    // is the combination possible?
//	err = s.Ineffective([]string{"link.gbps"}, false)     // would it change nothing?
//	for _, d := range settings.All() { ... }              // paths, units, defaults, limits
package settings
