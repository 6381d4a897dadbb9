package plan

import "embed"

// Files holds the project's own plan, so that goldwire works without a checkout.
//
//go:embed goldwire.yaml
var Files embed.FS
