// Has a copy finished with host memory when cudaMemcpyAsync returns?
#pragma once

#include <cstdint>
#include <vector>

#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/host_buffer.hpp"

namespace trilane {

/// Copies of 4 KiB and 1 MiB in and out, each behind a kernel of 1 ms on its stream. Out: counts
/// the bytes that are missing when the call returns. In: counts the bytes that arrive changed if
/// the source is overwritten as soon as the call returns.
class Arrival : public Experiment {
 public:
  explicit Arrival(HostMemory kind);

  std::vector<Condition> conditions() override;

  /// Returns by case whether the call had finished with host memory in every round.
  static Conclusion conclude(const Readings& readings);

 private:
  /// The host goes on at once, or waits for the stream before it reads or overwrites its memory.
  enum class Host { goes_on, waits };

  double missing_out(std::byte* host, std::uint64_t bytes, Host then) const;
  double changed_in(std::byte* host, std::uint64_t bytes, Host then) const;
  void fill_device(int value) const;

  HostBuffer host_;
  PinnedBuffer pinned_, arrived_;
  DeviceBuffer device_;
  BusyKernel kernel_{1000};
  Stream stream_ = make_stream();
};

}  // namespace trilane
