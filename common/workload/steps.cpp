#include "common/workload/steps.hpp"

#include <algorithm>

namespace trilane {

namespace {

/// Appends the steps of the chunks from `first` to before `last`, stage by stage. One chunk at a
/// time gives depth-first order, one chunk per lane breadth-first order.
void append_wave(const Job& job, std::uint32_t first, std::uint32_t last,
                 std::vector<Step>& steps) {
  const auto append = [&](Stage stage, std::uint32_t kernel) {
    for (std::uint32_t index = first; index < last; ++index) {
      const Chunk chunk = job.workload.chunk(index);
      steps.push_back({.stage = stage,
                       .chunk = index,
                       .lane = chunk.lane,
                       .kernel = kernel,
                       .rounds = job.workload.rounds,
                       .host_in = job.host_in + chunk.in_offset,
                       .host_out = job.host_out + chunk.out_offset,
                       .in_bytes = chunk.in_bytes,
                       .out_bytes = chunk.out_bytes});
    }
  };
  append(Stage::copy_in, 0);
  append(Stage::clear, 0);
  for (std::uint32_t kernel = 0; kernel < job.workload.depth; ++kernel) {
    append(Stage::transform, kernel);
  }
  append(Stage::copy_out, 0);
}

}  // namespace

Job::Job(const Workload& workload_, const std::byte* host_in_, std::byte* host_out_)
    : workload(workload_), host_in(host_in_), host_out(host_out_) {
  const std::uint32_t chunks = workload.chunks();
  const std::uint32_t wave = workload.order == Order::depth_first ? 1 : workload.lanes;
  steps.reserve(workload.operations());
  for (std::uint32_t first = 0; first < chunks; first += wave) {
    append_wave(*this, first, std::min(chunks, first + wave), steps);
  }
}

}  // namespace trilane
