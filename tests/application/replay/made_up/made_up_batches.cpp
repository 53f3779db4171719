// The fake driver's batches of copies.
#include <utility>

#include "tests/application/replay/made_up/made_up_driver.hpp"
#include "tests/application/replay/made_up/made_up_tables.hpp"

namespace trilane::made_up {

namespace {

/// Returns true if each copy has attributes that read in stream order.
bool is_valid(std::size_t copies, const CUmemcpyAttributes* attributes,
              const std::size_t* holds_from, std::size_t count) {
  if (copies == 0 || count == 0 || holds_from[0] != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const bool stream = attributes[i].srcAccessOrder == CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    if (!stream || holds_from[i] >= copies) return false;
    if (i > 0 && holds_from[i] <= holds_from[i - 1]) return false;
  }
  return true;
}

CUDA_MEMCPY3D block_of(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  CUDA_MEMCPY3D block{};
  block.dstDevice = to;
  block.srcDevice = from;
  block.WidthInBytes = bytes;
  block.Height = block.Depth = 1;
  return block;
}

/// Copies the last one first. As with one copy, the host waits for pageable memory.
CUresult put_batch(CUdeviceptr* to, CUdeviceptr* from, std::size_t* bytes, std::size_t copies,
                   CUmemcpyAttributes* attributes, std::size_t* holds_from, std::size_t count,
                   CUstream handle) {
  if (handle == nullptr || !is_valid(copies, attributes, holds_from, count)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  state().batch_flags.clear();
  std::vector<std::function<CUresult()>> all;
  bool waits = false;
  for (std::size_t i = 0, held = 0; i < copies; ++i) {
    if (held + 1 < count && holds_from[held + 1] == i) ++held;
    state().batch_flags.push_back(attributes[held].flags);
    all.push_back(copied(block_of(to[i], from[i], bytes[i])));
    waits = waits || is_pageable(to[i]) || is_pageable(from[i]);
  }
  put(handle, [all = std::move(all)] {
    CUresult result = CUDA_SUCCESS;
    for (auto one = all.rbegin(); one != all.rend() && result == CUDA_SUCCESS; ++one) {
      result = (*one)();
    }
    return result;
  });
  const std::shared_ptr<Stream> stream = stream_of(handle);
  return waits ? wait_for({stream, stream->issued()}) : CUDA_SUCCESS;
}

}  // namespace

void add_batches(ReplayDriver& all) { all.cuMemcpyBatchAsync = put_batch; }

}  // namespace trilane::made_up
