// Has a copy finished with host memory when cudaMemcpyAsync returns?
#pragma once

#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/host_buffer.hpp"

namespace trilane {

/// Copies of 4 KiB and 1 MiB in and out, each behind a kernel of 1 ms on its stream. Out: counts
/// the bytes that are missing when the call returns. In: counts the bytes that arrive changed if
/// the source is overwritten as soon as the call returns.
template <HostMemory kind>
class Arrival : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const std::uint64_t bytes : sizes) {
      const auto out = [this, bytes](const auto& host, Host then) {
        return [this, bytes, &host, then] { return missing_out(host.get(), bytes, then); };
      };
      const auto in = [this, bytes](const auto& host, Host then) {
        return [this, bytes, &host, then] { return changed_in(host.get(), bytes, then); };
      };
      all.push_back({copied_in(bytes),
                     in(host_, Host::goes_on),
                     {in(host_, Host::waits), in(pinned_, Host::goes_on)},
                     Quantity::count});
      all.push_back({copied_out(bytes),
                     out(host_, Host::goes_on),
                     {out(host_, Host::waits), out(pinned_, Host::goes_on)},
                     Quantity::count});
    }
    return all;
  }

  /// Returns by case whether the call had finished with host memory in every round.
  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const std::uint64_t bytes : sizes) {
      const std::string size = format_bytes(bytes);
      const double changed = r.at(copied_in(bytes), 1), missing = r.at(copied_out(bytes), 1);
      conclusion.add(size + " in", changed == 0,
                     fmt::format("of {} in, up to {} bytes arrived as they were changed after the "
                                 "call",
                                 size, changed));
      conclusion.add(size + " out", missing == 0,
                     fmt::format("of {} out, up to {} bytes were not there when the call returned",
                                 size, missing));
    }
    return conclusion;
  }

 private:
  /// The host goes on at once, or waits for the stream before it reads or overwrites its memory.
  enum class Host { goes_on, waits };

  static constexpr std::uint64_t sizes[] = {4 << 10, 1 << 20}, most_bytes = 1 << 20;
  static constexpr int before = 1, after = 2;  // the bytes' values

  static std::string copied_out(std::uint64_t bytes) {
    return fmt::format("bytes of {} out not there when the call returns", format_bytes(bytes));
  }

  static std::string copied_in(std::uint64_t bytes) {
    return fmt::format("bytes of {} in changed after the call", format_bytes(bytes));
  }

  void fill_device(int value) const {
    check(cudaMemset(device_.get(), value, most_bytes));
    check(cudaDeviceSynchronize());
  }

  double missing_out(std::byte* host, std::uint64_t bytes, Host then) const {
    std::memset(host, before, bytes);
    fill_device(after);
    kernel_.enqueue(stream_.get());
    copy_to_host(host, device_.get(), bytes, stream_.get());
    if (then == Host::waits) check(cudaStreamSynchronize(stream_.get()));
    const double missing = count_of(host, bytes, before);
    check(cudaStreamSynchronize(stream_.get()));
    return missing;
  }

  double changed_in(std::byte* host, std::uint64_t bytes, Host then) const {
    std::memset(host, before, bytes);
    fill_device(0);
    kernel_.enqueue(stream_.get());
    copy_to_device(device_.get(), host, bytes, stream_.get());
    if (then == Host::waits) check(cudaStreamSynchronize(stream_.get()));
    std::memset(host, after, bytes);
    check(cudaStreamSynchronize(stream_.get()));
    check(cudaMemcpy(arrived_.get(), device_.get(), bytes, cudaMemcpyDeviceToHost));
    return count_of(arrived_.get(), bytes, after);
  }

  HostBuffer host_ = make_host_buffer(most_bytes, kind);
  PinnedBuffer pinned_ = make_pinned_buffer(most_bytes), arrived_ = make_pinned_buffer(most_bytes);
  DeviceBuffer device_ = make_device_buffer(most_bytes);
  BusyKernel kernel_{1000};
  Stream stream_ = make_stream();
};

}  // namespace trilane
