# Goldwire. `make` alone prints this help; every output goes under build/.

GO        ?= $(shell command -v go 2>/dev/null || echo /usr/local/go/bin/go)
VERILATOR ?= verilator
IVERILOG  ?= iverilog
YOSYS     ?= yosys

# The stage of ci/plan/goldwire.yaml that `make cosim` runs; ARGS is appended to a command line of goldwire.
STAGE     ?= main
# What soak runs.
BLOCK     ?= $(or $(call listed,block,),$(BLOCKS))
SOURCE    ?= directed,random,fabric:permutation,fabric:incast32
SEEDS     ?= 1..3
# Other sizes of the blocks, for soak: block:parameters.
SIZES     ?= $(call listed,size,)
ARGS      ?=
# How long one package's tests may take.
TIMEOUT   ?= 60m

BUILD     ?= build
BLOCKS    := $(patsubst vectors/event/%/schema.yaml,%,$(wildcard vectors/event/*/schema.yaml))
GOLDWIRE  := $(BUILD)/goldwire
# The list of blocks, as the built command prints it; nothing before it is built.
PLAIN      = $(shell [ ! -x $(GOLDWIRE) ] || $(GOLDWIRE) list --plain 2>/dev/null)
listed     = $(patsubst $(1)=$(2)%,%,$(filter $(1)=$(2)%,$(PLAIN)))
# A campaign over no block would pass.
some_block = [ -n "$(strip $(BLOCK))" ] || { echo "make: BLOCK is empty: name a block, one of $(BLOCKS), or leave it out" >&2; exit 2; }
REVISION  := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
# A block of the bridge's own tests, generated like the real ones.
TINY      := bridge/launch/testdata/tiny
GENERATED := hdl/gen golden/cc/nscc/float_gen.go cosim/network/capture/uet.lua $(wildcard rtlmodel/*/ports_gen.go) $(TINY) \
             $(foreach b,$(BLOCKS),$(addprefix vectors/event/$(b)/,event_gen.go doc.go fields.md))
WAIVERS   := $(wildcard hdl/lint/waivers.vlt)
# Sources of one block for any tool: every block's types and constants, since a block may hold others, and its
# top; the modules themselves are found by name in the folders of hdl/rtl, in which no name may stand twice.
sources    = $(wildcard hdl/gen/*_types.sv) $(wildcard hdl/gen/*_pkg.sv) hdl/gen/$(1)_top.sv
TWICE     := $(shell find hdl/rtl -name '*.*v' -printf '%f\n' | sed 's/[.][^.]*$$//' | sort | uniq -d)
# Yosys 0.52 fails on a struct outside a package: bridge/README.md.
structs    = $(if $(findstring Yosys 0.52 ,$(shell $(YOSYS) -V 2>/dev/null)),-DGW_STRUCTS_IN_PACKAGE)
folders    = $(if $(TWICE),$(error two files of hdl/rtl hold the module: $(TWICE)),$(patsubst %/,$(1) %,$(wildcard hdl/rtl/*/)))
verilate   = $(VERILATOR) --lint-only --no-timing -Wall --top-module $(1)_top $(WAIVERS) $(call sources,$(1)) $(call folders,-y)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help tools build gen gen-check fmt-check vet lint lint-names lint-large check test ci cosim soak measured bench pgo faults prove fourstate experiments cost planted distrust matrix slurm-test icarus synth clean
.PHONY: $(foreach t,lint icarus synth,$(BLOCKS:%=$(t)-%))

help: ## print this help
	@echo "usage: make TARGET [VARIABLE=value ...]"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r t d; do printf '  %-11s %s\n' "$$t" "$$d"; done
	@echo
	@echo "variables: STAGE=$(STAGE) of cosim; BLOCK, SOURCE and SEEDS of soak; ARGS of both and of the campaigns"
	@echo "blocks: $(BLOCKS)"

tools: ## install what is missing of Verilator, Icarus, Yosys, z3, ccache
	@command -v $(GO) >/dev/null 2>&1 || { echo "make: no Go on PATH: install Go from https://go.dev/dl and run this again" >&2; exit 2; }
	@ci/tools/install.sh

build: ## build the goldwire command into build/
	@mkdir -p $(BUILD)
	$(GO) build -buildvcs=false -ldflags "-X main.revision=$(REVISION)" -o $(GOLDWIRE) ./cosim/cmd/goldwire

gen: ## regenerate hdl/gen and vectors/event/<block> from the schemas, the float rules of NSCC from their text, the dissector
	@for root in . $(TINY); do $(GO) run ./vectors/event/cmd/schemagen -root $$root || exit 1; done
	@cd golden/cc/nscc && $(GO) run ./floatgen
	@cd cosim/network/capture && $(GO) run ./luagen

gen-check: gen ## regenerate and fail when the checked-in files differ
	@git diff --exit-code -- $(GENERATED)
	@new=$$(git ls-files --others --exclude-standard -- $(GENERATED)); \
	  [ -z "$$new" ] || { echo "make: generated and not checked in:" $$new >&2; exit 1; }

fmt-check:
	@bad=$$($(dir $(shell command -v $(GO)))gofmt -l bridge ci cosim golden rtlmodel vectors) || exit 1; \
	  [ -z "$$bad" ] || { echo "make: not gofmt clean:" $$bad >&2; exit 1; }

vet:
	$(QUICK) $(GO) vet ./...

lint: tools fmt-check vet $(BLOCKS:%=lint-%) ## gofmt, go vet, verilator -Wall of every block, what newer simulators refuse
	@for s in ci/tools/install.sh ci/tools/matrix.sh .ci/run .github/action/run.sh; do bash -n $$s || exit 1; done

$(BLOCKS:%=lint-%): lint-%: tools
	$(call verilate,$*)

# What some simulator refuses although the installed ones do not.
lint: lint-names
lint-names:
	$(QUICK) $(GO) test -vet=off -run 'TestNamesAreDeclaredAhead' ./ci/layout

lint: lint-large
# The largest sizes that must elaborate, and the smallest of some and an odd one of ccc.
lint-large: tools
	$(call verilate,ackgen) -GPdcs=4096
	$(call verilate,ackgen) -GPdcs=4
	$(call verilate,ccc) -GNumContexts=65536 -GNumPdcs=16 -GNumProfiles=16
	$(call verilate,ccc) -GNumContexts=2 -GNumPdcs=1 -GNumProfiles=1
	$(call verilate,ccc) -GNumContexts=7 -GNumPdcs=3 -GNumProfiles=5
	$(call verilate,credit) -GSenders=4096
	$(call verilate,credit) -GSenders=2
	$(call verilate,egress) -GNumPorts=64 -GDepth=4096
	$(call verilate,intmd) -GNumPorts=64
	$(call verilate,nic) -GContexts=4096 -GReceives=4096
	$(call verilate,nic) -GContexts=2 -GReceives=4
	$(call verilate,switchport) -GNumPorts=64 -GDepth=4096 -GSlots=1024
	$(call verilate,txpdc) -GContexts=4096
	$(call verilate,txpdc) -GContexts=2

# Tests compile Go once: without the profile of the goldwire command, and without the path of the tree, so that a copy of
# the tree that a test builds finds what is compiled. They run each design for a moment, so designs compile with little
# optimisation.
QUICK     := GOLDWIRE_CACHE=off GOLDWIRE_OPT=-Og GOFLAGS="$(strip $(GOFLAGS) -pgo=off -trimpath)"

# The packages that take longest start first, so that none is left alone at the end.
LONGEST   := ./cosim/engine/run ./cosim/precision/diff ./cosim/cmd/goldwire ./ci/distrust ./ci
# Without vet, which lint runs on the same packages with more checks.
test: tools ## run every test (installs the tools that are missing)
	$(QUICK) $(GO) test -vet=off -timeout $(TIMEOUT) $(LONGEST) ./...

# With the settings of the tests throughout, so that Go and the designs are compiled once.
ci: ## what continuous integration runs: lint, gen-check, the smoke stage and every test
	@for t in lint gen-check "cosim STAGE=smoke" test; do $(QUICK) $(MAKE) --no-print-directory $$t || exit 1; done

# Packages whose tests build designs or take half a minute: not for the inner loop.
SLOW      := bridge/(client|conform|launch|serve)|ci|ci/(affected|campaign|distrust|newblock|triage)|cosim/audit/.*|cosim/block|\
cosim/cmd/goldwire|cosim/engine/run|cosim/network/.*|cosim/precision/diff.*|golden/cc/planted|golden/fabric|\
golden/fabric/transport|vectors/(drive|export|record)
# go test repeats only the packages that a change can affect.
check: fmt-check vet ## the inner loop: format, vet, and the tests that a change can affect, without those of slow packages
	@$(QUICK) $(GO) test -short -vet=off -timeout $(TIMEOUT) \
	  $$($(GO) list ./... | grep -vE '/goldwire/goldwire/($(subst $() ,,$(SLOW)))$$')

cosim: tools build ## the main job: every source on every block, Go model against Verilated RTL, every cycle
	@$(GOLDWIRE) ci run --stage $(STAGE) $(ARGS); code=$$?; echo "goldwire ci run --stage $(STAGE): exit code $$code"; exit $$code

soak: tools build ## the long form: every source at a million events, seeds SEEDS, both ticks, and the long tests (an hour)
	@$(some_block)
	@[ -n "$(strip $(SIZES))" ] || { echo "make: SIZES is empty: $(GOLDWIRE) list --plain should list sizes; leave SIZES out" >&2; exit 2; }
	@for t in 1ns 128ns; do \
	  $(GOLDWIRE) cosim --block ccc --source random,fabric:permutation,fabric:incast32 --seeds $(SEEDS) --events 1M --tick $$t \
	    --transport shm --json $(BUILD)/soak-ccc-$$t.json || exit 1; \
	done
	@for b in $(filter-out ccc,$(BLOCK)); do \
	  $(GOLDWIRE) cosim --block $$b --source $(SOURCE) --seeds $(SEEDS) --events 1M --transport shm --json $(BUILD)/soak-$$b.json || exit 1; \
	done
	@for p in $(SIZES); do \
	  b=$${p%%:*}; case " $(BLOCK) " in *" $$b "*) ;; *) continue ;; esac; \
	  args=$$(echo "$${p#*:}" | sed 's/^/--param /; s/,/ --param /g'); \
	  $(GOLDWIRE) cosim --block $$b --source random --seeds $(SEEDS) --events 100k --transport shm $$args --json $(BUILD)/soak-$$b-$${p#*:}.json || exit 1; \
	done
	GOLDWIRE_LONG=1 $(GO) test -timeout 120m ./...

# The campaigns write their tables to build/TARGET.md, or with MEASURED=1 to the MEASURED.md of a folder.
table = $(if $(MEASURED),$(1)/MEASURED.md,$(BUILD)/$@.md)

measured: ## run the six campaigns below with what they are published with, and write their MEASURED.md files (hours)
	@bad=; for t in bench faults prove fourstate experiments cost; do $(MAKE) --no-print-directory $$t MEASURED=1 || bad="$$bad $$t"; done; \
	  [ -z "$$bad" ] || { echo "make: not all passed, as their tables say:$$bad" >&2; exit 1; }

bench: tools build ## measure speeds: co-simulation against a native C++ bench, network, vector files, arithmetics; build/bench.json
	@$(GOLDWIRE) bench --all --json $(BUILD)/bench.json --markdown $(call table,cosim/audit/bench) $(ARGS)

pgo: ## renew the profile by which the compiler inlines in the goldwire command
	@mkdir -p $(BUILD)
	$(GO) test -c -o $(BUILD)/lockstep.test ./cosim/engine/run
	$(GO) test -c -o $(BUILD)/fabric.test ./golden/fabric
	$(BUILD)/lockstep.test -test.run '^$$' -test.bench Lockstep -test.benchtime 3s -test.cpuprofile $(BUILD)/lockstep.prof
	$(BUILD)/fabric.test -test.run '^$$' -test.bench Run/fattree128 -test.benchtime 3s -test.cpuprofile $(BUILD)/fabric.prof
	$(GO) test -run '^$$' -bench Run -benchtime 3s -o $(BUILD)/loop.test -cpuprofile $(BUILD)/loop.prof ./cosim/network/loop
	$(GO) tool pprof -proto -output cosim/cmd/goldwire/default.pgo $(BUILD)/lockstep.prof $(BUILD)/fabric.prof $(BUILD)/loop.prof

faults: tools build ## plant faults in copies of the RTL and count those that are caught
	@$(GOLDWIRE) faults $(if $(MEASURED),--check --drawn 1000) --json $(BUILD)/faults.json --markdown $(call table,cosim/audit/fault) $(ARGS)

prove: tools ## prove properties of the RTL with Yosys, abc and z3, each beside a planted fault that must fail; writes build/prove.json
	@mkdir -p $(BUILD)
	@$(GO) run ./cosim/audit/prove/cmd/prove -json $(BUILD)/prove.json -markdown $(call table,hdl/prove) $(ARGS) .

fourstate: tools build ## drop every reset of the RTL, one at a time, and play the exported benches in Icarus, where X shows
	@$(GO) run ./cosim/audit/fourstate/cmd/fourstate -goldwire $(GOLDWIRE) -json $(BUILD)/fourstate.json \
	  -markdown $(call table,cosim/audit/fourstate) $(ARGS) .

experiments: build ## run the papers' experiments on the simulated network and judge them by their claims; build/experiments.html
	@$(GOLDWIRE) fabric validate --json $(BUILD)/experiments.json --html $(BUILD)/experiments.html \
	  --markdown $(call table,golden/experiment) $(ARGS)

cost: tools build ## what a longer ACK pipeline and fewer entries of txstate cost in completion time and area
	@$(GOLDWIRE) fabric cost --markdown $(call table,cosim/network/cost) $(ARGS)

planted: ## plant changes in the rules of every congestion control and list those that its tests pass; ARGS names some
	@PATH="$(dir $(GO)):$$PATH" $(GO) run ./golden/cc/planted/cmd/planted $(ARGS)

distrust: tools ## try to make a run pass that compared nothing, the wrong thing or an old thing: a line per attempt
	@$(GO) run ./ci/distrust/cmd/distrust $(ARGS) .

# Each system is made by debootstrap, which needs root, and is kept in /var/tmp; ci/tools/matrix.sh lists its variables.
matrix: ## play make cosim and make test on bare Debian 12, 13 and unstable, and print versions and results (hours)
	@ci/tools/matrix.sh

# Slurm is installed for this test alone; the daemons are the test's own, on loopback, and need root.
slurm-test: STAGE = smoke
slurm-test: tools build ## play a stage here and on a two-node Slurm on loopback, break its jobs; STAGE selects another
	@ci/tools/install.sh --slurm
	GOLDWIRE_SLURM=1 SLURM_STAGE=$(STAGE) SLURM_PROGRAM=$(abspath $(GOLDWIRE)) SLURM_DIR=$(abspath $(BUILD))/ci/slurm-$(STAGE) \
	  PATH="$$PATH:/usr/sbin" $(GO) test -count=1 -timeout 12h -v -run '^TestCluster' ./ci/slurm $(ARGS)

icarus: $(BLOCKS:%=icarus-%) ## compile every block with Icarus Verilog
$(BLOCKS:%=icarus-%): icarus-%: tools
	@mkdir -p $(BUILD)/icarus
	@$(IVERILOG) -g2012 -Wall -s $*_top -o $(BUILD)/icarus/$*.vvp $(call folders,-y) -Y .sv $(call sources,$*) >$(BUILD)/icarus/$*.log 2>&1 \
	  || { cat $(BUILD)/icarus/$*.log >&2; exit 1; }
	@echo "$*: compiled (its notes: $(BUILD)/icarus/$*.log)"

synth: $(BLOCKS:%=synth-%) ## read every block with Yosys and print its cells and memories
$(BLOCKS:%=synth-%): synth-%: tools
	@mkdir -p $(BUILD)/synth
	@$(YOSYS) -q -l $(BUILD)/synth/$*.log -p "read_verilog -sv $(structs) $(call sources,$*); hierarchy -check -top $*_top $(call folders,-libdir); \
	  proc; flatten; opt_clean; check -assert; tee -q -o $(BUILD)/synth/$*.stat stat; memory -nomap; stat" >/dev/null
	@awk '/Number of cells:/ {c = $$NF} /Number of memories:/ {m = $$NF} /Number of memory bits:/ {b = $$NF} \
	  /^ *[0-9]+ cells$$/ {c = $$1} /^ *[0-9]+ memories$$/ {m = $$1} /^ *[0-9]+ memory bits$$/ {b = $$1} \
	  END {if (!c) {print "make: no cells are counted in build/synth/$*.stat" >"/dev/stderr"; exit 1} printf "%s: %d cells, %d memories of %d bits in all (each cell: $(BUILD)/synth/$*.stat)\n", "$*", c, m, b}' $(BUILD)/synth/$*.stat

clean: ## remove build/
	rm -rf $(BUILD)
