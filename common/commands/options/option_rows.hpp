// The options of all commands, each once, for parser, help, completions and man page.
#pragma once

#include "common/std.hpp"

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
inline constexpr OptionRow drawn{
    "drawn", "N:SEED",
    "N workloads drawn by a seed (default: 1), to see how predictions and advice hold elsewhere"};
inline constexpr OptionRow preset{
    "preset", "NAME", "the workload (default: balanced's shape with 1 round)", Value::preset};
inline constexpr OptionRow pipelines{
    "pipeline", "FILE,...", "your own workloads, each described in a file (see trilane pipeline)",
    Value::file};
inline constexpr OptionRow pipeline{"pipeline", "FILE",
                                    "your own workload, described in a file (see trilane pipeline)",
                                    Value::file};
inline constexpr OptionRow kernel{
    "kernel", "FILE:NAME",
    "your own kernel as a workload; its parameters must be like (const T* in, T* out, size_t n)"};
inline constexpr OptionRow kernel_limit{"kernel-limit", "TIME",
                                        "reject a pipeline if one of its kernels runs longer in "
                                        "the trial before measuring (default: 10s)"};
inline constexpr OptionRow variants{"variant", "NAME,...", "execution models (default: all)",
                                    Value::variants};
inline constexpr OptionRow main_variants{
    "variant", "NAME,...", "execution models (default: the main contenders)", Value::variants};
inline constexpr OptionRow tier{
    "tier", "TIER",
    "all execution models of one tier: same (the same operations), moved (the same stages, moved "
    "together) or rewritten",
    Value::choice, "same,moved,rewritten"};
inline constexpr OptionRow reference{
    "reference", "NAME", "variant to compare the others with (default: streams, if it is measured)",
    Value::variant};
inline constexpr OptionRow device{"device", "N", "GPU number (default: 0)"};
inline constexpr OptionRow devices{"device", "N,...",
                                   "GPU number (default: 0); several, or all, are measured each "
                                   "alone, and then all at once"};
inline constexpr OptionRow together{
    "together", "WAY,...",
    "ways to measure several GPUs (default: all): alone, at once in processes (one for each), at "
    "once in threads of one process (one for each)",
    Value::choice, "alone,processes,threads"};
inline constexpr OptionRow split{
    "split", "",
    "deal each pass's chunks to the GPUs of --device (default: all), and compare that with the "
    "first of them alone",
    Value::none};

inline constexpr OptionRow size{
    "size", "SIZE", "input of the whole pass; by itself it changes the number of chunks"};
inline constexpr OptionRow chunks{"chunks", "N", "number of chunks"};
inline constexpr OptionRow chunk_size{
    "chunk-size", "SIZE", "input of one chunk; by itself it keeps the number of chunks"};
inline constexpr OptionRow result_size{"result-size", "SIZE",
                                       "output of one chunk, at most the chunk size"};
inline constexpr OptionRow stride{
    "stride", "SIZE",
    "distance between the starts of chunks in host memory (default: the chunk size, no gaps)"};
inline constexpr OptionRow lanes{"lanes", "N", "number of lanes; chunks are dealt to them in turn"};
inline constexpr OptionRow depth{"depth", "N", "kernels per chunk"};
inline constexpr OptionRow rounds{
    "rounds", "N", "rounds of arithmetic that each kernel does per 4 bytes of input"};
inline constexpr OptionRow kernel_time{
    "kernel-time", "TIME",
    "instead of --rounds: choose the rounds so that a kernel takes this long"};
inline constexpr OptionRow order{"order", "WAY",
                                 "issue order; depth: all stages of a chunk, then the next chunk; "
                                 "breadth: one stage of a chunk per lane, then the next stage",
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
    "settings of the variant pool, separated by commas: threshold=0 events=off opportunistic=on "
    "internal=on pools=lane allocations=2. kept: none of these; default: CUDA's own. Several "
    "policies are compared with each other"};
inline constexpr OptionRow waits{"wait", "WAY,...",
                                 "how the host waits: spin (default), yield, block; several are "
                                 "compared across processes",
                                 Value::choice, "spin,yield,block"};
inline constexpr OptionRow wait{"wait", "WAY", "how the host waits: spin (default), yield, block",
                                Value::choice, "spin,yield,block"};

inline constexpr OptionRow mode{
    "mode", "MODE",
    "latency (default): wait after each pass; throughput: wait after a batch of passes",
    Value::choice, "latency,throughput"};
inline constexpr OptionRow time{"time", "TIME",
                                "measuring time per workload, all processes together (default: 2s; "
                                "one process: 7s); set-up, checks and pricing are extra"};
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
inline constexpr OptionRow processes{"processes", "N",
                                     "split the time among N fresh processes (run: 6); intervals "
                                     "then cover the differences between processes"};

inline constexpr OptionRow fresh_processes{
    "processes", "N",
    "split the time among N fresh processes (default: 5; on a simulated device: 1)"};

inline constexpr OptionRow json{"json", "FILE", "all results, every sample; - is standard output",
                                Value::file};
inline constexpr OptionRow csv{"csv", "FILE", "one line per sample; - is standard output",
                               Value::file};
inline constexpr OptionRow trace{
    "trace", "FILE",
    "after measuring, trace a few passes of every variant: each operation on the device and each "
    "call, in a file for Perfetto. On a GPU this needs CUPTI",
    Value::file};
inline constexpr OptionRow name_node{
    "name-node", "",
    "record the host's name, for trilane merge; otherwise results name neither host nor user",
    Value::none};
inline constexpr OptionRow quiet{"quiet", "", "print only the answers", Value::none};
inline constexpr OptionRow markdown{"markdown", "", "print Markdown", Value::none};
inline constexpr OptionRow force{"force", "", "overwrite an existing file", Value::none};

inline constexpr OptionRow profile{
    "profile", "FILE", "device profile from trilane calibrate (default: an H200's)", Value::file};
inline constexpr OptionRow set{
    "set", "NAME=VALUE",
    "change figures of the profile for a question, such as '*in_gbps=*2' or "
    "cudaGraphInstantiate=5; several are separated by commas"};
inline constexpr OptionRow check{
    "check", "",
    "run everything with data and check results, orders and hazards; times stay the same (default: "
    "predict them from one pass of each variant, without data)",
    Value::none};
inline constexpr OptionRow fault{
    "fault", "NUMBER=CODE",
    "make this runtime call, counted from 1, fail with this CUDA error code"};

inline constexpr OptionRow gpus{
    "gpus", "N,NUMBER=RATE%",
    "number of GPUs (default: 1); 8,3=95%: eight, and number 3 copies at 95% of the rate"};

}  // namespace option

/// Returns the knobs of a workload.
inline OptionGroup knob_group() {
  return {"The workload; by default 16 chunks of 1 MiB, 4 lanes, 1 kernel of 1 round",
          {option::size, option::chunks, option::chunk_size, option::result_size, option::stride,
           option::lanes, option::depth, option::rounds, option::kernel_time, option::order}};
}

/// Returns the options of a program with the simulated device; `runs_variants` adds --check.
inline OptionGroup simulation_group(bool runs_variants) {
  OptionGroup group{"The simulated device",
                    {option::profile, option::set, option::fault, option::gpus}};
  if (runs_variants) group.rows.insert(group.rows.begin(), option::check);
  return group;
}

}  // namespace trilane
