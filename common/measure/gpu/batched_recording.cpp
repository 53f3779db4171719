#include "common/measure/gpu/batched_recording.hpp"

#include <cuda_runtime_api.h>

#include <utility>

#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {

CopyBatch::CopyBatch(const Job& job, const std::vector<StageRun>& runs,
                     const PassScratch& scratch) {
  for (const StageRun& run : runs) {
    for (const Step& step : steps_of(job, run)) {
      std::byte* const device = scratch[step][step.buffer];
      switch (step.stage) {
        case Stage::copy_in: add(device, step.host_in, step.in_bytes); break;
        case Stage::copy_out: add(step.host_out, device, step.out_bytes); break;
        case Stage::clear:
        case Stage::transform: break;
      }
    }
  }
}

void CopyBatch::add(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  to_.push_back(to);
  from_.push_back(from);
  bytes_.push_back(bytes);
}

void CopyBatch::enqueue(cudaStream_t stream) const {
  if (bytes_.empty()) return;
  // In stream order: a copy reads what was written by work enqueued before the batch.
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;  // the attributes apply from this copy on
  check(cudaMemcpyBatchAsync(to_.data(), from_.data(), bytes_.data(), bytes_.size(), &attributes,
                             &first, 1, stream));
}

BatchedRecording::BatchedRecording(const Job& job, const PassScratch& scratch,
                                   const IssueRuns& issue) {
  for (const StageSection& section : stage_sections(job.workload)) {
    is_batch_.push_back(section.copies);
    if (section.copies) {
      batches_.emplace_back(job, section.runs, scratch);
    } else {
      graphs_.emplace_back([&](cudaStream_t origin) { issue(section.runs, origin); });
    }
  }
}

void BatchedRecording::launch(cudaStream_t origin) const {
  auto batch = batches_.begin();
  auto graph = graphs_.begin();
  for (const bool is_batch : is_batch_) {
    if (is_batch) {
      (batch++)->enqueue(origin);
    } else {
      (graph++)->launch(origin);
    }
  }
}

std::vector<Count> BatchedRecording::evidence() const {
  std::vector<Count> facts;
  for (const Recording& graph : graphs_) facts = added_up(std::move(facts), graph.evidence());
  return facts;
}

}  // namespace trilane
