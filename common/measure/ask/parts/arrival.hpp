// Has a copy finished with host memory when cudaMemcpyAsync returns?
#pragma once

#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/host_buffer.hpp"

namespace trilane {

/// Copies of 4 KiB and 1 MiB in and out, each behind a kernel of 1 ms on its stream. Out: counts
/// the bytes that are missing when the call returns. In: counts the bytes that arrive changed if
/// the source is overwritten as soon as the call returns.
template <HostMemory kind>
class Arrival : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const std::uint64_t bytes : sizes) {
      all.push_back(condition(copied_in(bytes), &Arrival::changed_in, bytes));
      all.push_back(condition(copied_out(bytes), &Arrival::missing_out, bytes));
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

  template <typename Count>
  Condition condition(const std::string& name, Count count, std::uint64_t bytes) {
    const auto tried = [=, this](std::byte* host, Host then) {
      return [=, this] { return (this->*count)(host, bytes, then); };
    };
    return {name,
            tried(host_.get(), Host::goes_on),
            {tried(host_.get(), Host::waits), tried(pinned_.get(), Host::goes_on)},
            Quantity::count};
  }

  void fill_device(int value) const {
    check(cudaMemset(device_.get(), value, most_bytes));
    check(cudaDeviceSynchronize());
  }

  double missing_out(std::byte* host, std::uint64_t bytes, Host then) const {
    std::memset(host, before, bytes);
    fill_device(after);
    kernel_.enqueue(stream());
    copy_to_host(host, device_.get(), bytes, stream());
    if (then == Host::waits) synchronise();
    const double missing = count_of(host, bytes, before);
    synchronise();
    return missing;
  }

  double changed_in(std::byte* host, std::uint64_t bytes, Host then) const {
    std::memset(host, before, bytes);
    fill_device(0);
    kernel_.enqueue(stream());
    copy_to_device(device_.get(), host, bytes, stream());
    if (then == Host::waits) synchronise();
    std::memset(host, after, bytes);
    synchronise();
    check(cudaMemcpy(arrived_.get(), device_.get(), bytes, cudaMemcpyDeviceToHost));
    return count_of(arrived_.get(), bytes, after);
  }

  HostBuffer host_ = make_host_buffer(most_bytes, kind);
  PinnedBuffer pinned_ = make_pinned_buffer(most_bytes), arrived_ = make_pinned_buffer(most_bytes);
  DeviceBuffer device_ = make_device_buffer(most_bytes);
  BusyKernel kernel_{1000};
};

}  // namespace trilane
