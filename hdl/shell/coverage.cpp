#include "coverage.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "error.h"

#ifdef GW_COVERAGE
#include "gw_registers.h"  // and the header with Verilator's counters
#include "verilated_cov.h"
#endif

namespace gw {

void Toggles::first(size_t at, const uint8_t* now, size_t n) {
  std::copy_n(now, n, prev_.begin() + static_cast<long>(at));
  std::fill_n(known_.begin() + static_cast<long>(at), n, uint8_t{0});
}

void Toggles::next(size_t at, const uint8_t* now, size_t n) {
  uint8_t* __restrict prev = prev_.data() + at;
  uint8_t* __restrict known = known_.data() + at;
  uint8_t* __restrict rose = rose_.data() + at;
  uint8_t* __restrict fell = fell_.data() + at;
  for (size_t i = 0; i < n; i++) {
    const uint8_t now_i = now[i], changed = now_i ^ prev[i];
    rose[i] = static_cast<uint8_t>(rose[i] | (changed & known[i] & now_i));
    fell[i] = static_cast<uint8_t>(fell[i] | (changed & known[i] & prev[i]));
    known[i] = static_cast<uint8_t>(known[i] | changed);
    prev[i] = now_i;
  }
}

#ifdef GW_COVERAGE

namespace {

using port::kInWords;
using port::kOutWords;

struct Register {
  const char* name;
  unsigned width;
  const uint8_t* at;
  size_t bytes;
};

std::vector<Register> registers_of(const port::Model& m) {
  const auto& root = *m.rootp;
  (void)root;  // used only by a design with registers
  return {
#define GW_REGISTER(name, width) {#name, width, reinterpret_cast<const uint8_t*>(&root.name), sizeof(root.name)},
      GW_REGISTERS
#undef GW_REGISTER
  };
}

// A stretch of the model's memory. Neighbouring registers share one, with what little lies between them.
struct Span {
  ptrdiff_t from;
  size_t bytes, at;  // at: place in the samples
};

struct Plan {
  std::vector<Span> spans;
  std::vector<size_t> at;  // of each register in the samples
  size_t bytes = 0;
};

Plan plan_of(const port::Model& m) {
  constexpr size_t kGap = 32;
  const auto regs = registers_of(m);
  const auto* base = reinterpret_cast<const uint8_t*>(m.rootp);
  std::vector<size_t> order(regs.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return regs[a].at < regs[b].at; });
  Plan p;
  p.at.resize(regs.size());
  for (const size_t i : order) {
    const ptrdiff_t from = regs[i].at - base;
    Span* last = p.spans.empty() ? nullptr : &p.spans.back();
    if (last == nullptr || static_cast<size_t>(from - last->from) > last->bytes + kGap) {
      p.spans.push_back({from, 0, p.bytes});
      last = &p.spans.back();
    }
    last->bytes = static_cast<size_t>(from - last->from) + regs[i].bytes;
    p.at[i] = last->at + static_cast<size_t>(from - last->from);
    p.bytes = last->at + last->bytes;
  }
  return p;
}

// The layout is that of the class: one model's is every model's.
Plan& plan() {
  static Plan p;
  return p;
}

constexpr size_t kIn = kInWords * 8, kOut = kOutWords * 8;

void hex(std::FILE* f, const uint8_t* bytes, size_t n) {
  std::fputc(' ', f);
  for (size_t i = n; i-- > 0;) std::fprintf(f, "%02x", bytes[i]);
}

void row(std::FILE* f, const char* kind, const char* name, size_t width, const Toggles& t, size_t at, size_t n) {
  std::fprintf(f, "%s %s %zu", kind, name, width);
  hex(f, t.rose() + at, n);
  hex(f, t.fell() + at, n);
  std::fputc('\n', f);
}

}  // namespace

Coverage::Coverage() : ports_(kIn + kOut), registers_(0) {}

void Coverage::begin() {
  fresh_ = true;
  seen_ = 0;
  wait_ = kSparse;
}

void Coverage::look(const uint64_t* in, const uint64_t* out, const port::Model& m) {
  wait_ = kSparse;
  const auto* i = reinterpret_cast<const uint8_t*>(in);
  const auto* o = reinterpret_cast<const uint8_t*>(out);
  const auto* base = reinterpret_cast<const uint8_t*>(m.rootp);
  if (fresh_) {
    static const bool planned = (plan() = plan_of(m), registers_ = Toggles(plan().bytes), true);
    (void)planned;
    fresh_ = false;
    ports_.first(0, i, kIn);
    ports_.first(kIn, o, kOut);
    for (const Span& s : plan().spans) registers_.first(s.at, base + s.from, s.bytes);
    return;
  }
  ports_.next(0, i, kIn);
  ports_.next(kIn, o, kOut);
  for (const Span& s : plan().spans) registers_.next(s.at, base + s.from, s.bytes);
}

void Coverage::take(const port::Model& m) {
#if VM_COVERAGE
  const auto& counters = m.rootp->vlSymsp->__Vcoverage;
  lines_.resize(std::size(counters));
  for (size_t i = 0; i < lines_.size(); i++) lines_[i] += counters[i];
#else
  (void)m;
#endif
}

void Coverage::write(const std::string& file, port::Model& m, VerilatedContext& context) {
#if VM_COVERAGE
  auto& counters = m.rootp->vlSymsp->__Vcoverage;
  for (size_t i = 0; i < lines_.size(); i++)
    counters[i] = static_cast<uint32_t>(std::min<uint64_t>(lines_[i], 0xffffffffu));  // which is what fits
  context.coveragep()->forcePerInstance(true);
  context.coveragep()->write((file + ".lines").c_str());
#else
  (void)context;
#endif
  std::FILE* f = std::fopen((file + ".toggles").c_str(), "w");
  if (f == nullptr) throw Error("coverage", "cannot write " + file + ".toggles");
  row(f, "in", "-", kIn * 8, ports_, 0, kIn);
  row(f, "out", "-", kOut * 8, ports_, kIn, kOut);
  const auto regs = registers_of(m);
  for (size_t i = 0; i < regs.size() && !plan().at.empty(); i++)
    row(f, "reg", regs[i].name, regs[i].width, registers_, plan().at[i], regs[i].bytes);
  std::fputs("end\n", f);
  if (std::ferror(f) | std::fclose(f)) throw Error("coverage", "cannot write " + file + ".toggles");
  std::ofstream done(file);
  done << "cycles " << cycles << "\nregisters " << regs.size() << "\n";
  done.close();
  if (!done) throw Error("coverage", "cannot write " + file);
}

#else

Coverage::Coverage() : ports_(0), registers_(0) {}
void Coverage::begin() {}
void Coverage::look(const uint64_t*, const uint64_t*, const port::Model&) {}
void Coverage::take(const port::Model&) {}
void Coverage::write(const std::string& file, port::Model&, VerilatedContext&) {
  throw Error("coverage", "this DUT was built without coverage, it cannot write " + file);
}

#endif

}  // namespace gw
