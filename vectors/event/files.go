package event

import "embed"

// Files are the schema, contract, rules and testpoints of every block, so that goldwire works without a checkout.
//
//go:embed */*.yaml */*.md
var Files embed.FS
