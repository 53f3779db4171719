#include "common/measure/loop/results/loop_shape.hpp"

#include <fmt/format.h>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {

const std::vector<Loop>& loop_presets() {
  constexpr std::uint64_t KiB = 1024;
  static const std::vector<Loop> all{
      {.name = "pair", .lanes = 2, .in_bytes = 16 * KiB, .out_bytes = 4 * KiB, .kernel_us = 1000},
      {.name = "swarm", .lanes = 8, .in_bytes = 16 * KiB, .out_bytes = 4 * KiB, .kernel_us = 50}};
  return all;
}

Workload workload_of(const Loop& loop) {
  Workload workload;
  workload.name = "custom";
  workload.bytes = loop.lanes * loop.in_bytes;
  workload.chunk_bytes = loop.in_bytes;
  workload.result_bytes = loop.out_bytes;
  workload.lanes = loop.lanes;
  workload.rounds = loop.rounds;
  return workload;
}

std::string lanes_of(const Loop& loop) {
  return fmt::format("{}, {} in, {} out", counted(loop.lanes, "lane"), format_bytes(loop.in_bytes),
                     format_bytes(loop.out_bytes));
}

std::string times_of(const Loop& loop) {
  const std::string kernel = "kernel of " + time_in_words(loop.kernel_us);
  return loop.analysis_us == 0 ? kernel
                               : kernel + ", analysis of " + time_in_words(loop.analysis_us);
}

}  // namespace trilane
