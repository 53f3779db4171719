#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/program_options/value_semantic.hpp>
#include <regex>
#include <sstream>

#include "common/commands/options/option_table.hpp"
#include "common/commands/options/options.hpp"
#include "common/text/markdown.hpp"

namespace trilane {
namespace {

namespace po = boost::program_options;

struct Row {
  const char* name;
  const char* placeholder;  ///< empty: a switch
  const char* text;
  const char* alone = nullptr;  ///< the default value; null: a value is required
  bool several = false;         ///< takes several values
};

struct Group {
  const char* caption;
  std::vector<Row> rows;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"What to run",
       {{"preset", "NAME,...", "workloads (default: all)"},
        {"variant", "NAME,...", "execution models (default: all)"},
        {"reference", "NAME",
         "what the others are compared with (default: streams, where it is measured)"},
        {"sweep", "KNOB=VALUES",
         "given twice: a map of which variant wins where, over any two of chunks, chunk-size, "
         "result-size, lanes, depth, rounds, kernel-time, size; VALUES are 4K..8M:12 (twelve in "
         "equal ratios), 2..256 (by doubling) or 1,2,4. Without --variant it compares the variants "
         "that one would choose between"},
        {"device", "N", "number of the GPU (default: 0)"},
        {"calibrate", "FILE",
         "measure a profile of the GPU for the simulated device, instead of variants"}}},
      {"The workload; without --preset this changes a copy of balanced",
       {{"size", "SIZE", "input of the whole pass; a changed size keeps the chunks' size"},
        {"chunks", "N,...",
         "how many chunks; several, 1,2,4 or 1..128, are run one after the other"},
        {"chunk-size", "SIZE", "input of one chunk; a changed chunk keeps their number"},
        {"result-size", "SIZE", "output of one chunk, at most the chunk"},
        {"lanes", "N", "lanes that chunks are dealt to"},
        {"depth", "N", "kernels per chunk"},
        {"rounds", "N", "work per 4 bytes of input and kernel"},
        {"kernel-time", "TIME", "instead of --rounds: find the rounds for kernels of this time"},
        {"order", "WAY",
         "depth: a whole chunk, then the next; breadth: one stage of a "
         "chunk per lane, then the next stage"}}},
      {"The ways to run it",
       {{"host-memory", "KIND,...",
         "memory of input and output: pinned (default), pageable, write-combined "
         "(input only), registered; several are compared across processes"},
        {"pool", "POLICY/...",
         "settings of the variant pool: threshold=0 events=off opportunistic=on internal=on "
         "pools=lane allocations=2 "
         "with commas between them, or default; several are compared with each other"},
        {"wait", "WAY,...",
         "how the host waits: spin (default), yield, block; several are compared "
         "across processes"}}},
      {"How to measure",
       {{"mode", "MODE", "latency (default): wait after each pass; throughput: after a batch"},
        {"time", "TIME",
         "measuring time per workload at most (default: 6s); set-up and checks come on top, and "
         "pricing, half as long again; "
         "with --sweep, for the whole map, set-up and checks included (default: 5min)"},
        {"precision", "PERCENT",
         "stop when every interval is expected to have this half width "
         "(default: 1%)"},
        {"prove-break-even", "",
         "run real sequences of passes until a variant has recovered its set-up time, to test the "
         "predicted break-even"},
        {"seed", "N", "seed of the input data and the order of turns (default: 1)"}}},
      {"How far to trust it",
       {{"processes", "N",
         "repeat everything in N fresh processes; intervals then cover their differences"},
        {"aa", "NAME", "compare this variant with itself, as NAME and NAME_again"},
        {"repeat", "N",
         "with --aa: N short comparisons (--time 400ms each), and how many intervals held the "
         "truth"},
        {"slow-down", "PERCENT", "with --aa: lengthen every pass of NAME_again by this much"}}},
      {"Two runs side by side; nothing is measured",
       {{"compare", "OLD NEW",
         "two files that --json wrote: whether NEW is as fast as OLD, variant by variant", nullptr,
         true},
        {"fail-on-slower", "PERCENT",
         "exit with 1 if a variant is SLOWER, its whole interval by more than this share of "
         "its old time, or has LOST its times (default: 0%)",
         "0%"},
        {"same-within", "PERCENT", "the largest difference that is SAME (default: 2%)"},
        {"process-spread", "PERCENT",
         "how far two processes may differ, if a file holds only one (default: 25%)"}}},
      {"Output",
       {{"json", "FILE",
         "all results, every sample; - is standard output. With --sweep the map, from which the "
         "same command continues after an interrupt"},
        {"csv", "FILE", "one line per sample; - is standard output"},
        {"trace", "FILE",
         "after measuring, trace a few passes of every variant: each operation on the "
         "device and each call, in a file for Perfetto. On a GPU this needs CUPTI"},
        {"force", "", "replace a file that is already there"},
        {"dry-run", "", "print what each variant would do; needs no GPU"},
        {"list", "", "print the variants and the presets"},
        {"help", "", "print this text"},
        {"version", "", "print the version"}}}};
  return all;
}

constexpr unsigned line_length = 80;

po::options_description described(const Group& group) {
  po::options_description part(group.caption, line_length);
  for (const Row& row : group.rows) {
    if (*row.placeholder == '\0') {
      part.add_options()(row.name, row.text);
    } else if (row.several) {
      auto* const words = po::value<std::vector<std::string>>()->multitoken();
      part.add_options()(row.name, words->value_name(row.placeholder), row.text);
    } else {
      auto* const word = po::value<std::string>()->value_name(row.placeholder);
      // The empty text keeps Boost from printing "[=PERCENT(=0%)]".
      if (row.alone) {
        word->implicit_value(row.alone, "")->value_name(fmt::format("[={}]", row.placeholder));
      }
      part.add_options()(row.name, word, row.text);
    }
  }
  return part;
}

const Group& simulation() {
  static const Group group{
      "The simulated device",
      {{"profile", "FILE", "its times, from --calibrate (default: an H200's)"},
       {"fault", "NUMBER=CODE",
        "let that runtime call, counted from 1, fail with that CUDA error code"}}};
  return group;
}

/// Removes the trailing spaces of Boost's wrapped lines, and the space before an optional value.
std::string option_lines(bool simulated) {
  std::ostringstream table;
  table << option_table(simulated);
  const std::string joined = std::regex_replace(table.str(), std::regex(R"( (\[=\w+\]))"), "$1 ");
  return std::regex_replace(joined, std::regex(" +\n"), "\n");
}

}  // namespace

po::options_description option_table(bool simulated) {
  po::options_description table(line_length);
  for (const Group& group : groups()) table.add(described(group));
  if (simulated) table.add(described(simulation()));
  return table;
}

std::string help_text(const std::string& program, std::span<const std::string> variants,
                      bool simulated) {
  std::vector<std::string> names;
  for (const Workload& preset : presets()) names.push_back(preset.name);
  return fmt::format(
      "Usage: {} [options]\n\n"
      "Runs one pipeline, copy in -> memset -> kernel -> copy out, under several CUDA\n"
      "execution models, proves each result, {}\n\n"
      "{}{}{}\n"
      "SIZE is a multiple of 4 bytes, written 4096, 4K, 8MiB or 1e6; K, M, G, T and\n"
      "KiB, MiB, ... are powers of 1024, kB, MB, GB, TB of 1000. TIME is 250us, 1.5ms,\n"
      "2s or 5min.\n\n"
      "Exit codes: 0 success; 1 wrong data, a failed variant or what --fail-on-slower\n"
      "found; 2 bad command line or, before anything runs, a file that cannot be read,\n"
      "compared or made; 3 no usable GPU; 4 not supported or not enough memory;\n"
      "5 output not written afterwards; 130 interrupted.\n",
      program,
      simulated ? "and predicts their times with a simulated\n"
                  "device; needs no GPU. Every time is simulated, none is measured."
                : "measures them against each other and says\nwhich to use.",
      paragraph(fmt::format("Variants: {}", fmt::join(variants, ", "))),
      paragraph(fmt::format("Presets: {}", fmt::join(names, ", "))), option_lines(simulated));
}

}  // namespace trilane
