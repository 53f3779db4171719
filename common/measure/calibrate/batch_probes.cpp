#include <vector>

#include "common/measure/calibrate/probes.hpp"

namespace trilane {

namespace {

constexpr int batch_readings = 31;
constexpr std::size_t few_copies = 1, many_copies = 64;  // copies of two batches

/// Returns the host's time for a batch of small copies to the device.
double batch_us(Bed& bed, std::size_t copies) {
  const PinnedBuffer host = make_pinned_buffer(copies * Bed::small);
  const DeviceBuffer device = make_device_buffer(copies * Bed::small);
  std::vector<void*> to;
  std::vector<const void*> from;
  for (std::size_t i = 0; i < copies; ++i) {
    to.push_back(device.get() + i * Bed::small);
    from.push_back(host.get() + i * Bed::small);
  }
  const std::vector<std::size_t> sizes(copies, Bed::small);
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;  // the attributes apply from this copy on
  return bed.host_us(batch_readings, [&] {
    check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), copies, &attributes, &first, 1,
                               bed.origin()));
  });
}

}  // namespace

void measure_batches(Bed& bed, Profile& profile) {
  const Growth batch =
      growth(few_copies, batch_us(bed, few_copies), many_copies, batch_us(bed, many_copies));
  profile.calls_us["cudaMemcpyBatchAsync"] = batch.constant_us;
  profile.calls_us["batched copy"] = batch.node_us;
}

}  // namespace trilane
