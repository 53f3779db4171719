#include "common/measure/calibrate/bed.hpp"

#include "common/measure/gpu/runtime/handles.hpp"
#include "kernels/fused.hpp"
#include "kernels/move.hpp"
#include "kernels/transform.hpp"

namespace trilane {

Bed::Bed() : lanes_(lanes), origin_(make_stream()) {
  check(load_kernels());
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    in_.push_back(make_device_buffer(lane_bytes));
    out_.push_back(make_device_buffer(lane_bytes));
    host_in_.push_back(make_pinned_buffer(lane_bytes));
    host_out_.push_back(make_pinned_buffer(lane_bytes));
    // Touch everything once, so that no timed operation faults in new pages.
    enqueue(Kind::copy_in, lane, lane_bytes);
    enqueue(Kind::memset, lane, lane_bytes);
    enqueue(Kind::copy_out, lane, lane_bytes);
  }
  synchronize();
}

Operation Bed::operation(Kind kind, std::uint32_t lane, std::uint64_t bytes) const {
  std::byte *const in = in_[lane].get(), *const out = out_[lane].get();
  switch (kind) {
    case Kind::copy_in:
      return Operation(Operation::Copy{in, host_in_[lane].get(), bytes, cudaMemcpyHostToDevice});
    case Kind::memset: return Operation(Operation::Clear{out, bytes});
    case Kind::kernel:
      return kernel(lane, bytes / sizeof(std::uint32_t), bytes / sizeof(std::uint32_t), 1);
    default:
      return Operation(Operation::Copy{host_out_[lane].get(), out, bytes, cudaMemcpyDeviceToHost});
  }
}

Operation Bed::kernel(std::uint32_t lane, std::uint64_t words, std::uint64_t outputs,
                      std::uint32_t rounds) const {
  return Operation(transform_launch(reinterpret_cast<const std::uint32_t*>(in_[lane].get()),
                                    reinterpret_cast<std::uint32_t*>(out_[lane].get()), words,
                                    outputs, 0, rounds));
}

Operation Bed::moving(cudaMemcpyKind direction, std::uint64_t bytes) const {
  std::byte* const in = device_address(host_in_[0].get());
  std::byte* const out = device_address(host_out_[0].get());
  switch (direction) {
    case cudaMemcpyHostToDevice: return Operation(copy_launch(in, in_[0].get(), bytes));
    case cudaMemcpyDeviceToHost: return Operation(copy_launch(out_[0].get(), out, bytes));
    case cudaMemcpyDeviceToDevice:
      return Operation(copy_launch(in_[0].get(), out_[0].get(), bytes));
    default: break;
  }
  const std::uint64_t words = bytes / sizeof(std::uint32_t);
  return Operation(fused_launch(
      reinterpret_cast<const std::uint32_t*>(in), reinterpret_cast<std::uint32_t*>(out),
      {.in_count = words, .chunk_count = words, .result_count = words, .depth = 1, .rounds = 1}));
}

double Bed::device_us(const std::function<void(cudaStream_t)>& issue) const {
  constexpr int readings = 5;
  std::vector<double> times(readings);
  std::ranges::generate(
      times, [&] { return timer_.time_us(origin_.get(), [&] { issue(origin_.get()); }); });
  return std::ranges::min(times);
}

double Bed::in_a_row_us(std::uint32_t count, Operation operation) const {
  return device_us([&](cudaStream_t origin) {
           for (std::uint32_t i = 0; i < count; ++i) operation.enqueue(origin);
         }) /
         count;
}

double Bed::on_lanes_us(std::uint32_t count,
                        const std::function<Operation(std::uint32_t)>& operation_of) const {
  return device_us([&](cudaStream_t origin) {
           lanes_.fork(origin);
           for (std::uint32_t lane = 0; lane < lanes; ++lane) {
             Operation operation = operation_of(lane);
             for (std::uint32_t i = 0; i < count; ++i) operation.enqueue(lanes_[lane]);
           }
           lanes_.join(origin);
         }) /
         (count * lanes);
}

double Bed::host_us(int readings, const std::function<void()>& action) const {
  const double us = median_of(readings, [&] {
    synchronize();
    return timed_us(action);
  });
  synchronize();
  return us;
}

void Bed::synchronize() const { check(cudaDeviceSynchronize()); }

void evict_host_caches() {
  constexpr std::size_t bytes = 4 << 20, line = 64;
  static std::vector<unsigned char> memory(bytes);
  volatile unsigned char* const written = memory.data();
  for (std::size_t i = 0; i < bytes; i += line) written[i] = static_cast<unsigned char>(i);
}

Growth growth(int few, double few_us, int many, double many_us) {
  const double node_us = std::max(0.0, (many_us - few_us) / (many - few));
  return {std::max(0.0, few_us - few * node_us), node_us};
}

}  // namespace trilane
