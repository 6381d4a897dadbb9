// The DUT process: a Verilated design that serves one client, or replays a vector file by itself.
//
//   dut --connect unix:PATH | tcp:127.0.0.1:PORT   serve (the session token is in GW_TOKEN)
//   dut --bench FILE [--reps N] [--seed S]         print cycles, nanoseconds and differing cycles
//   dut --coverage FILE                            with --connect: write what was covered when the client says goodbye
//   dut --info                                     print what this binary was built from
//
// Arguments that begin with + go to the RTL, which reads them with $value$plusargs.
//
// Exit codes: 0 done, 1 the bench found differences, 2 failure; the reason is the last line on stderr.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>

#include "bench.h"
#include "session.h"

namespace {

using Args = std::map<std::string, std::string>;

Args parse(int argc, char** argv) {
  Args args;
  for (int i = 1; i < argc; i++) {
    const std::string key = argv[i];
    if (key.rfind('+', 0) == 0) {
      gw::add_plusarg(key);
    } else if (key == "--info") {
      args[key] = "";
    } else if ((key == "--connect" || key == "--bench" || key == "--reps" || key == "--seed" || key == "--coverage") &&
               i + 1 < argc) {
      args[key] = argv[++i];
    } else {
      throw gw::Error("protocol", "unknown or incomplete argument " + key + "; use --connect, --bench, --info or a +plusarg");
    }
  }
  return args;
}

uint64_t number(const Args& args, const std::string& key, uint64_t fallback) {
  const auto it = args.find(key);
  if (it == args.end()) return fallback;
  char* end = nullptr;
  const uint64_t v = std::strtoull(it->second.c_str(), &end, 10);
  if (it->second.empty() || *end != 0) throw gw::Error("protocol", key + " needs a number, not " + it->second);
  return v;
}

int run(const Args& args) {
  if (args.count("--info") != 0) {
    const gw::Design& d = gw::kDesign;
    std::printf("block %s\nschema %s\nparams %s\nflags %s\nsimulator %s\n", d.block, d.schema_hash, d.params, d.flags,
                gw::simulator().c_str());
    return 0;
  }
  if (const auto it = args.find("--bench"); it != args.end()) {
    gw::Dut dut;
    const auto r = gw::bench(dut, it->second, number(args, "--reps", 1), static_cast<uint32_t>(number(args, "--seed", 1)), 2,
                             [](uint64_t) {});
    std::printf("cycles %llu\nns %lld\nmismatches %llu\n", static_cast<unsigned long long>(r.cycles),
                static_cast<long long>(r.ns), static_cast<unsigned long long>(r.mismatches));
    return r.mismatches == 0 ? 0 : 1;
  }
  const auto it = args.find("--connect");
  if (it == args.end()) throw gw::Error("protocol", "nothing to do; use --connect, --bench or --info");
  const char* token = std::getenv("GW_TOKEN");
  gw::Session session(gw::connect_to(it->second));
  if (const auto file = args.find("--coverage"); file != args.end()) session.cover(file->second);
  session.serve(token != nullptr ? token : "");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse(argc, argv));
  } catch (const gw::Error& e) {
    std::fprintf(stderr, "dut: %s", e.what());
    if (!e.ours.empty() || !e.theirs.empty()) std::fprintf(stderr, ": ours %s, theirs %s", e.ours.c_str(), e.theirs.c_str());
    std::fputc('\n', stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "dut: %s\n", e.what());
  }
  return 2;
}
