// The options of all commands, each once: name, value and text, for parser, help, completions and
// man page.
#pragma once

#include <span>
#include <vector>

namespace boost::program_options {
class options_description;
}

namespace trilane {

/// The kind of thing that a value or an operand names, for completions.
enum class Value { none, plain, file, preset, presets, variant, variants, knob, choice };

struct OptionRow {
  const char* name;         ///< without dashes
  const char* placeholder;  ///< empty: a switch
  const char* text;
  Value value = Value::plain;
  const char* choices = "";  ///< with Value::choice: the names, separated by commas
};

struct OptionGroup {
  const char* caption;
  std::vector<OptionRow> rows;
};

/// Returns the options for Boost, which parses them and lays out their table.
boost::program_options::options_description described(std::span<const OptionGroup> groups);

namespace option {

inline constexpr OptionRow presets{"preset", "NAME,...", "workloads (default: all)",
                                   Value::presets};
inline constexpr OptionRow preset{
    "preset", "NAME", "the workload (default: balanced's shape with 1 round)", Value::preset};
inline constexpr OptionRow pipelines{
    "pipeline", "FILE,...", "workloads of your own, each stated in a file (see trilane pipeline)",
    Value::file};
inline constexpr OptionRow pipeline{
    "pipeline", "FILE", "a workload of your own, stated in a file (see trilane pipeline)",
    Value::file};
inline constexpr OptionRow kernel{
    "kernel", "FILE:NAME",
    "a kernel of your own, with parameters like (const T* in, T* out, size_t n), as a workload"};
inline constexpr OptionRow kernel_limit{
    "kernel-limit", "TIME",
    "give a pipeline up if one of its kernels runs longer in the trial before it is measured "
    "(default: 10s)"};
inline constexpr OptionRow variants{"variant", "NAME,...", "execution models (default: all)",
                                    Value::variants};
inline constexpr OptionRow main_variants{
    "variant", "NAME,...", "execution models (default: those that one would choose between)",
    Value::variants};
inline constexpr OptionRow tier{
    "tier", "TIER",
    "all execution models of one tier: same (the same operations), moved (the same stages, moved "
    "together) or rewritten",
    Value::choice, "same,moved,rewritten"};
inline constexpr OptionRow reference{
    "reference", "NAME",
    "what the others are compared with (default: streams, where it is measured)", Value::variant};
inline constexpr OptionRow device{"device", "N", "number of the GPU (default: 0)"};

inline constexpr OptionRow size{"size", "SIZE",
                                "input of the whole pass; a changed size keeps the chunks' size"};
inline constexpr OptionRow chunks{"chunks", "N", "how many chunks"};
inline constexpr OptionRow chunk_size{"chunk-size", "SIZE",
                                      "input of one chunk; a changed chunk keeps their number"};
inline constexpr OptionRow result_size{"result-size", "SIZE",
                                       "output of one chunk, at most the chunk"};
inline constexpr OptionRow stride{
    "stride", "SIZE",
    "host memory from the start of a chunk to the next one's (default: the chunk, without gaps)"};
inline constexpr OptionRow lanes{"lanes", "N", "lanes that chunks are dealt to"};
inline constexpr OptionRow depth{"depth", "N", "kernels per chunk"};
inline constexpr OptionRow rounds{"rounds", "N", "work per 4 bytes of input and kernel"};
inline constexpr OptionRow kernel_time{
    "kernel-time", "TIME", "instead of --rounds: find the rounds for kernels of this time"};
inline constexpr OptionRow order{"order", "WAY",
                                 "depth: a whole chunk, then the next; breadth: one stage of a "
                                 "chunk per lane, then the next stage",
                                 Value::choice, "depth,breadth"};

inline constexpr OptionRow host_memories{
    "host-memory", "KIND,...",
    "memory of input and output: pinned (default), pageable, write-combined (input only), "
    "registered; several are compared across processes",
    Value::choice, "pinned,pageable,write-combined,registered"};
inline constexpr OptionRow host_memory{
    "host-memory", "KIND",
    "memory of input and output: pinned (default), pageable, write-combined (input only), "
    "registered",
    Value::choice, "pinned,pageable,write-combined,registered"};
inline constexpr OptionRow pools{
    "pool", "POLICY/...",
    "settings of the variant pool: threshold=0 events=off opportunistic=on internal=on "
    "pools=lane allocations=2 with commas between them; kept: none of them; default: CUDA's own; "
    "several are compared with "
    "each other"};
inline constexpr OptionRow waits{"wait", "WAY,...",
                                 "how the host waits: spin (default), yield, block; several are "
                                 "compared across processes",
                                 Value::choice, "spin,yield,block"};
inline constexpr OptionRow wait{"wait", "WAY", "how the host waits: spin (default), yield, block",
                                Value::choice, "spin,yield,block"};

inline constexpr OptionRow mode{
    "mode", "MODE", "latency (default): wait after each pass; throughput: after a batch",
    Value::choice, "latency,throughput"};
inline constexpr OptionRow time{
    "time", "TIME",
    "measuring time per workload, of all processes together (default: 2s; of one process: "
    "7s); set-up, checks and pricing come on top"};
inline constexpr OptionRow precision{
    "precision", "PERCENT",
    "with --processes 1: stop when every interval is expected to have this half width (default: "
    "1%)"};
inline constexpr OptionRow prove_break_even{
    "prove-break-even", "",
    "run real sequences of passes until a variant has recovered its set-up time, to test the "
    "predicted break-even",
    Value::none};
inline constexpr OptionRow seed{"seed", "N",
                                "seed of the input data and the order of turns (default: 1)"};
inline constexpr OptionRow processes{
    "processes", "N",
    "share the time among N fresh processes (run: 6); intervals cover their differences"};

inline constexpr OptionRow fresh_processes{
    "processes", "N",
    "share the time among N fresh processes (default: 5; on a simulated device 1)"};

inline constexpr OptionRow json{"json", "FILE", "all results, every sample; - is standard output",
                                Value::file};
inline constexpr OptionRow csv{"csv", "FILE", "one line per sample; - is standard output",
                               Value::file};
inline constexpr OptionRow trace{
    "trace", "FILE",
    "after measuring, trace a few passes of every variant: each operation on the device and each "
    "call, in a file for Perfetto. On a GPU this needs CUPTI",
    Value::file};
inline constexpr OptionRow quiet{"quiet", "", "print the answers alone", Value::none};
inline constexpr OptionRow markdown{"markdown", "", "print Markdown", Value::none};
inline constexpr OptionRow force{"force", "", "replace a file that is already there", Value::none};

inline constexpr OptionRow profile{
    "profile", "FILE", "its times, from trilane calibrate (default: an H200's)", Value::file};
inline constexpr OptionRow check{
    "check", "",
    "run all that would run on a GPU, with data: results, orders and hazards are checked, and the "
    "times are the same (default: predict them from one pass of each variant, without data)",
    Value::none};
inline constexpr OptionRow fault{
    "fault", "NUMBER=CODE",
    "let that runtime call, counted from 1, fail with that CUDA error code"};

}  // namespace option

/// Returns the knobs of a workload.
inline OptionGroup knob_group() {
  return {"The workload; by default 16 chunks of 1 MiB, 4 lanes, 1 kernel of 1 round",
          {option::size, option::chunks, option::chunk_size, option::result_size, option::stride,
           option::lanes, option::depth, option::rounds, option::kernel_time, option::order}};
}

/// Returns the options of a program with the simulated device; `runs_variants` adds --check.
inline OptionGroup simulation_group(bool runs_variants) {
  OptionGroup group{"The simulated device", {option::profile, option::fault}};
  if (runs_variants) group.rows.insert(group.rows.begin(), option::check);
  return group;
}

}  // namespace trilane
