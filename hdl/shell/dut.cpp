#include "dut.h"

#include <vector>

#if VM_TRACE_VCD
#include "verilated_vcd_c.h"
#endif

namespace gw {

namespace {

std::vector<std::string> plusargs;

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

Dut::Dut() = default;

Dut::~Dut() {
  if (waves_) waves_.reset();
  if (model_) model_->final();
}

void Dut::take_coverage() {
  if (!model_) return;
  coverage_.take(*model_);
  coverage_.cycles += cycles_;
}

void Dut::write_coverage(const std::string& file) {
  if (!model_) throw Error("coverage", "no model ran, nothing was covered");
  take_coverage();
  coverage_.write(file, *model_, *context_);
}

void Dut::create(uint32_t seed, int reset) {
  take_coverage();
  coverage_.begin();
  waves_.reset();
  model_.reset();
  context_ = std::make_unique<VerilatedContext>();
  context_->randReset(reset);
  // To the simulator a seed of 0 means "choose one", which could not be repeated.
  context_->randSeed(static_cast<int>(1 + seed % 0x7fffffff));
  context_->traceEverOn(kHaveWaves);
  std::vector<const char*> args{"dut"};
  for (const auto& a : plusargs) args.push_back(a.c_str());
  context_->commandArgs(static_cast<int>(args.size()), args.data());
  take_alarm();
  cycles_ = 0;
  model_ = std::make_unique<port::Model>(context_.get(), "TOP");
}

void Dut::trace(const std::string& file, uint64_t from, uint64_t count) {
  if (!kHaveWaves) throw Error("trace", "this DUT was built without waves: build it with waves");
  waves_.reset();
  if (count > 0) waves_ = std::make_unique<Waves>(*model_, file, from, count);
}

void Dut::dump(unsigned phase) {
  if (waves_) waves_->dump(cycles_, phase);
}

}  // namespace gw
