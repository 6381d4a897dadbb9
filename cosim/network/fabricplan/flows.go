package fabricplan

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

// CheckFlows errors if the run cannot have one of the flows, by number. It asks the simulator, which makes the workload
// and stops before the first packet; an error of the workload is left to the run.
func (p *Plan) CheckFlows(ctx context.Context, flows []int32) error {
	if len(flows) == 0 {
		return nil
	}
	spec := p.Spec
	spec.MaxTime, spec.CC, spec.CCHosts, spec.CCContexts = 1, "", nil, nil // the controls do not change the flows
	var options []fabric.Option
	if p.Flows != nil {
		list := slices.Clone(p.Flows)
		for i := range list {
			list[i].CC = ""
		}
		options = append(options, fabric.WithMessages(list))
	}
	res, err := fabric.Run(ctx, spec, options...)
	if err != nil {
		return ctx.Err()
	}
	n := len(res.Flows)
	if w := spec.Workload; p.Flows == nil && (w == settings.Permutation || w == settings.Incast) {
		if spec.Rounds == 0 {
			return nil // a flow follows the other until the run ends
		}
		n *= spec.Rounds
	}
	for _, f := range flows {
		if int(f) >= n {
			return fmt.Errorf("flow %d: there are flows 0 to %d", f, n-1)
		}
	}
	return nil
}
