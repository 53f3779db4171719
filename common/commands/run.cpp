#include "common/commands/options/command.hpp"
#include "common/commands/runs.hpp"

namespace trilane {
namespace {

int run(const Given& given, const Caller& caller) {
  RunOptions options = read_run(given, caller);
  check_read(given, options);
  start_device(options.device, options.comparison.seed);
  return measure_as_asked(options, caller.line);
}

}  // namespace

Command run_command() {
  return {.name = "run",
          .operands = {""},
          .summary = "compare all variants and say which to use; the default",
          .about = "",
          .examples = {"run --preset launch,search", "run --chunks 64 --chunk-size 1M --depth 3",
                       "run --preset transfer --variant streams,engines --processes 5",
                       "run --pipeline blur.json", "run --kernel blur.cu:blur --chunks 64"},
          .groups = {{"What to run",
                      {option::presets, option::pipelines, option::kernel, option::variants,
                       option::reference, option::device}},
                     knob_group(),
                     {"The ways to run it", {option::host_memories, option::pools, option::waits}},
                     {"How to measure",
                      {option::mode, option::time, option::precision, option::processes,
                       option::prove_break_even, option::kernel_limit, option::seed}},
                     {"Output",
                      {option::json, option::csv, option::trace, option::quiet, option::markdown,
                       option::force}}},
          .run = run};
}

}  // namespace trilane
