// Package hdl holds the files of this folder that a run reads, so that goldwire works without a checkout.
package hdl

import "embed"

// Files are the RTL, what is generated for it, the C++ shell, the lint waivers and the example designs.
//
//go:embed rtl gen shell lint/*.vlt examples/*/*.yaml examples/*/*.*v examples/*/*.vhd examples/*/*/*.*v*
var Files embed.FS
