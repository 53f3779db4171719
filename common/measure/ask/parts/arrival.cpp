#include "common/measure/ask/parts/arrival.hpp"

#include <cstring>
#include <string>

namespace trilane {
namespace {

constexpr std::uint64_t sizes[] = {4 << 10, 1 << 20}, most_bytes = 1 << 20;
constexpr int before = 1, after = 2;  // the bytes' values

std::string copied_out(std::uint64_t bytes) {
  return fmt::format("bytes of {} out not there when the call returns", format_bytes(bytes));
}

std::string copied_in(std::uint64_t bytes) {
  return fmt::format("bytes of {} in changed after the call", format_bytes(bytes));
}

}  // namespace

Arrival::Arrival(HostMemory kind)
    : host_(make_host_buffer(most_bytes, kind)),
      pinned_(make_pinned_buffer(most_bytes)),
      arrived_(make_pinned_buffer(most_bytes)),
      device_(make_device_buffer(most_bytes)) {}

void Arrival::fill_device(int value) const {
  check(cudaMemset(device_.get(), value, most_bytes));
  check(cudaDeviceSynchronize());
}

double Arrival::missing_out(std::byte* host, std::uint64_t bytes, Host then) const {
  std::memset(host, before, bytes);
  fill_device(after);
  kernel_.enqueue(stream_.get());
  copy_to_host(host, device_.get(), bytes, stream_.get());
  if (then == Host::waits) check(cudaStreamSynchronize(stream_.get()));
  const double missing = count_of(host, bytes, before);
  check(cudaStreamSynchronize(stream_.get()));
  return missing;
}

double Arrival::changed_in(std::byte* host, std::uint64_t bytes, Host then) const {
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

std::vector<Condition> Arrival::conditions() {
  std::vector<Condition> all;
  for (const std::uint64_t bytes : sizes) {
    all.push_back({copied_in(bytes),
                   [this, bytes] { return changed_in(host_.get(), bytes, Host::goes_on); },
                   {[this, bytes] { return changed_in(host_.get(), bytes, Host::waits); },
                    [this, bytes] { return changed_in(pinned_.get(), bytes, Host::goes_on); }},
                   Quantity::count});
    all.push_back({copied_out(bytes),
                   [this, bytes] { return missing_out(host_.get(), bytes, Host::goes_on); },
                   {[this, bytes] { return missing_out(host_.get(), bytes, Host::waits); },
                    [this, bytes] { return missing_out(pinned_.get(), bytes, Host::goes_on); }},
                   Quantity::count});
  }
  return all;
}

Conclusion Arrival::conclude(const Readings& r) {
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

}  // namespace trilane
