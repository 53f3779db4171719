// Batches of copies.
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "common/device/simulator/kernels/tasks.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/not_modelled.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

struct Batch {
  std::span<void* const> to;
  std::span<const void* const> from;
  std::span<const std::size_t> sizes;
};

/// Checks the rules of cudaMemcpyBatchAsync in CUDA Runtime API, Memory Management: every copy has
/// attributes, each of which applies from the copy with its index on.
void check_attributes(std::span<const cudaMemcpyAttributes> attributes, const std::size_t* first,
                      std::size_t copies) {
  if (attributes.empty() || attributes.size() > copies) refuse(cudaErrorInvalidValue);
  if (attributes.data() == nullptr || first == nullptr) refuse(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    require(i == 0 ? first[0] == 0 : first[i] > first[i - 1] && first[i] < copies);
    // The overlap with kernels is a hint, which changed nothing on an H200.
    require((attributes[i].flags & ~unsigned{cudaMemcpyFlagPreferOverlapWithCompute}) == 0);
    switch (attributes[i].srcAccessOrder) {
      case cudaMemcpySrcAccessOrderStream: break;
      case cudaMemcpySrcAccessOrderDuringApiCall:
      case cudaMemcpySrcAccessOrderAny:
        refuse_not_modelled("a batch of copies whose sources are read out of stream order");
      default: refuse(cudaErrorInvalidValue);
    }
  }
}

Copy look_at(Machine& m, const Batch& batch, std::size_t place) {
  require(batch.sizes[place] > 0);  // as measured on an H200
  const Copy copy =
      look_at(m, batch.to[place], batch.from[place], {batch.sizes[place]}, cudaMemcpyDefault);
  if (copy.from_pageable() || copy.to_pageable() || copy.within_host()) {
    refuse_not_modelled("a batch with a copy of pageable memory or within the host");
  }
  return copy;
}

/// Returns the tasks of all copies before any is enqueued, because one wrong copy refuses the
/// batch.
std::vector<Task> tasks_of(Machine& m, const Batch& batch) {
  std::vector<Task> tasks;
  std::uint64_t in = 0, out = 0, within = 0;
  for (std::size_t place = 0; place < batch.sizes.size(); ++place) {
    Task task = task_of(look_at(m, batch, place));
    std::uint64_t& before = task.kind == Kind::copy_in    ? in
                            : task.kind == Kind::copy_out ? out
                                                          : within;
    task.batched = before++;
    tasks.push_back(std::move(task));
  }
  return tasks;
}

}  // namespace

cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void* const* to, const void* const* from,
                                           const size_t* sizes, size_t count,
                                           cudaMemcpyAttributes* attributes, size_t* first,
                                           size_t attribute_count, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUstream_st& on = stream_of(m, stream);
    require(&on != &m.legacy);
    // Measured with driver 580: the capture stays valid.
    if (on.capture) refuse(cudaErrorStreamCaptureUnsupported);
    if (to == nullptr || from == nullptr || sizes == nullptr) refuse(cudaErrorInvalidValue);
    check_attributes({attributes, attribute_count}, first, count);
    m.enqueue_batch(tasks_of(m, {{to, count}, {from, count}, {sizes, count}}), on);
  });
}
