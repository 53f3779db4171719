#include "common/measure/gpu/batched_recording.hpp"

#include <utility>

namespace trilane {

BatchedRecording::BatchedRecording(const Job& job, const PassScratch& scratch,
                                   const IssueGroups& issue) {
  for (const GroupSection& section : group_sections(job)) {
    is_batch_.push_back(section.copies);
    if (section.copies) {
      batches_.emplace_back(section.groups, scratch);
    } else {
      graphs_.emplace_back([&](cudaStream_t origin) { issue(section.groups, origin); });
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
