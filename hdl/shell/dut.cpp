#include "dut.h"

#include "coverage.h"
#include "gw_build.h"  // written by the build: the port table and what the binary was built from
#include "hooks.h"
#include "verilated.h"

#if VM_TRACE_VCD
#include "verilated_vcd_c.h"
#endif

namespace gw {

const Design kDesign{port::kBlock, port::kSchemaHash, kParamText, kBuildFlags, port::kInWords, port::kOutWords, kWaves};

std::string simulator() { return std::string(Verilated::productName()) + " " + Verilated::productVersion(); }

namespace {

std::vector<std::string> plusargs;

// Adds a record to the digest of those before it; bridge/PROTOCOL.md, "digest".
uint64_t digest(uint64_t h, const uint64_t* out) {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15u, kChain = 0x94d049bb133111ebu;
  uint64_t sum = 0;
  port::compared(out, [&sum](uint64_t i, uint64_t bits) { sum += bits * ((2 * i + 1) * kStep); });
  return ((h << 5 | h >> 59) ^ sum) * kChain + kStep;
}

}  // namespace

void add_plusarg(const std::string& arg) { plusargs.push_back(arg); }

#if VM_TRACE_VCD

constexpr bool kHaveWaves = true;

// One file and the window of cycles to dump into it.
class Waves {
 public:
  Waves(port::Model& m, const std::string& file, uint64_t from, uint64_t count) : from_(from), end_(from + count) {
    m.trace(&file_, 99);
    file_.open(file.c_str());
    if (!file_.isOpen()) throw Error("trace", "cannot write " + file);
  }
  ~Waves() { file_.close(); }
  void dump(uint64_t cycle, unsigned phase) {
    if (cycle >= from_ && cycle < end_) file_.dump(kPeriod * cycle + kPeriod / 2 * phase);
    if (cycle + 1 == end_ && phase == 1) file_.flush();
  }

 private:
  static constexpr uint64_t kPeriod = 1000;  // time units of one cycle in the file
  VerilatedVcdC file_;
  uint64_t from_, end_;
};

#else

constexpr bool kHaveWaves = false;

class Waves {
 public:
  Waves(port::Model&, const std::string&, uint64_t, uint64_t) {}
  void dump(uint64_t, unsigned) {}
};

#endif

// The model that runs, and what outlives it.
struct Dut::Model {
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<port::Model> top;
  std::unique_ptr<Waves> waves;
  uint64_t cycles = 0;
  Coverage coverage;

  void settle(const uint64_t* in, uint64_t* out) {
    port::Model& m = *top;
    port::drive(m, in);
    m.clk_i = 0;
    m.eval();
    if (kWaves && waves) waves->dump(cycles, 0);
    port::sample(m, out);
    if (kToggles) coverage.sample(in, out, m);
  }

  void edge() {
    port::Model& m = *top;
    m.clk_i = 1;
    m.eval();
    if (kWaves && waves) waves->dump(cycles, 1);
    cycles++;
    if (__builtin_expect(alarm_raised, 0)) throw Error("rtl", take_alarm());
  }

  void take_coverage() {
    if (!top) return;
    coverage.take(*top);
    coverage.cycles += cycles;
  }
};

Dut::Dut() : model_(std::make_unique<Model>()) {}

Dut::~Dut() {
  model_->waves.reset();
  if (model_->top) model_->top->final();
}

void Dut::create(uint32_t seed, int reset) {
  Model& m = *model_;
  m.take_coverage();
  m.coverage.begin();
  m.waves.reset();
  m.top.reset();
  m.context = std::make_unique<VerilatedContext>();
  m.context->randReset(reset);
  // To the simulator a seed of 0 means "choose one", which could not be repeated.
  m.context->randSeed(static_cast<int>(1 + seed % 0x7fffffff));
  m.context->traceEverOn(kHaveWaves);
  std::vector<const char*> args{"dut"};
  for (const auto& a : plusargs) args.push_back(a.c_str());
  m.context->commandArgs(static_cast<int>(args.size()), args.data());
  take_alarm();
  m.cycles = 0;
  m.top = std::make_unique<port::Model>(m.context.get(), "TOP");
}

void Dut::trace(const std::string& file, uint64_t from, uint64_t count) {
  if (!kHaveWaves) throw Error("trace", "this DUT was built without waves: build it with waves");
  model_->waves.reset();
  if (count > 0) model_->waves = std::make_unique<Waves>(*model_->top, file, from, count);
}

void Dut::write_coverage(const std::string& file) {
  if (!model_->top) throw Error("coverage", "no model ran, nothing was covered");
  model_->take_coverage();
  model_->coverage.write(file, *model_->top, *model_->context);
}

uint64_t Dut::cycles() const { return model_->cycles; }

void Dut::settle(const uint64_t* in, uint64_t* out) { model_->settle(in, out); }

void Dut::edge() { model_->edge(); }

size_t Dut::compare(const uint64_t* in, const uint64_t* want, size_t n, Outputs& seen) {
  Model& m = *model_;
  for (size_t i = 0; i < n; i++) {
    uint64_t* const got = seen.at(seen.cycles);
    m.settle(in + i * port::kInWords, got);
    m.edge();
    if (!port::equal(want + i * port::kOutWords, got)) return i;
    seen.digest = digest(seen.digest, got);
    seen.cycles++;
  }
  return n;
}

uint64_t Dut::differing(const uint64_t* in, const uint64_t* want, size_t n) {
  Model& m = *model_;
  uint64_t count = 0;
  uint64_t got[port::kOutWords];
  for (size_t i = 0; i < n; i++) {
    m.settle(in + i * port::kInWords, got);
    m.edge();
    if (!port::equal(want + i * port::kOutWords, got)) count++;
  }
  return count;
}

}  // namespace gw
