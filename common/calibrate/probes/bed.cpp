#include "common/calibrate/probes/bed.hpp"

#include <algorithm>

#include "common/device/flavour.hpp"
#include "kernels/transform.hpp"

namespace trilane {

namespace {

constexpr int readings = 5;

}  // namespace

Bed::Bed() : lanes_(lanes), origin_(make_stream()) {
  check(load_kernels());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    in_.push_back(make_device_buffer(lane_bytes));
    out_.push_back(make_device_buffer(lane_bytes));
    host_in_.push_back(make_pinned_buffer(lane_bytes));
    host_out_.push_back(make_pinned_buffer(lane_bytes));
    // Everything has been written once, so that no timed operation touches fresh pages.
    enqueue(Kind::copy_in, lane, lane_bytes);
    enqueue(Kind::memset, lane, lane_bytes);
    enqueue(Kind::copy_out, lane, lane_bytes);
  }
  synchronize();
}

void Bed::enqueue(Kind kind, std::uint32_t lane, std::uint64_t bytes, cudaStream_t stream) {
  std::byte *const in = in_[lane].get(), *const out = out_[lane].get();
  switch (kind) {
    case Kind::copy_in:
      check(cudaMemcpyAsync(in, host_in_[lane].get(), bytes, cudaMemcpyHostToDevice, stream));
      break;
    case Kind::memset: check(cudaMemsetAsync(out, 0, bytes, stream)); break;
    case Kind::kernel: kernel(lane, bytes / sizeof(std::uint32_t), 0, 1, stream); break;
    default:
      check(cudaMemcpyAsync(host_out_[lane].get(), out, bytes, cudaMemcpyDeviceToHost, stream));
  }
}

void Bed::kernel(std::uint32_t lane, std::uint64_t words, std::uint64_t outputs,
                 std::uint32_t rounds, cudaStream_t stream) {
  KernelLaunch launch = transform_launch(reinterpret_cast<const std::uint32_t*>(in_[lane].get()),
                                         reinterpret_cast<std::uint32_t*>(out_[lane].get()), words,
                                         outputs == 0 ? words : outputs, 0, rounds);
  check(cudaLaunchKernel(launch.function, launch.grid, launch.block, launch.arguments().data(), 0,
                         stream));
}

double Bed::device_us(const std::function<void(cudaStream_t)>& issue) {
  return behind_gate([&] { issue(origin_.get()); });
}

double Bed::device_us_on_lanes(const std::function<void(std::uint32_t)>& issue,
                               std::uint32_t count) {
  return behind_gate([&] {
    lanes_.fork(origin_.get());
    for (std::uint32_t lane = 0; lane < count; ++lane) issue(lane);
    lanes_.join(origin_.get());
  });
}

double Bed::behind_gate(const std::function<void()>& issue) {
  std::vector<double> times;
  for (int i = 0; i < readings; ++i) times.push_back(timer_(origin_.get(), issue));
  return *std::ranges::min_element(times);
}

double Bed::host_us(int count, const std::function<void()>& action) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    synchronize();
    const double start = now_us();
    action();
    times.push_back(now_us() - start);
  }
  synchronize();
  return median(times);
}

void Bed::synchronize() { check(cudaDeviceSynchronize()); }

}  // namespace trilane
