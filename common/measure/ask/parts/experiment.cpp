#include "common/measure/ask/parts/experiment.hpp"

#include "common/measure/harness/probe.hpp"

namespace trilane {
namespace {

/// Returns the bytes for four words a thread: a block of 256, or 2,048 on each of 132 SMs.
std::uint64_t bytes_of(Extent extent) {
  switch (extent) {
    case Extent::one_block: return 4 << 10;
    case Extent::all_sms: return std::uint64_t{132} * 2048 * 16;
  }
  return 0;
}

Workload one_kernel(Extent extent) {
  const std::uint64_t bytes = bytes_of(extent);
  return {.name = "custom", .bytes = bytes, .chunk_bytes = bytes, .result_bytes = bytes};
}

}  // namespace

OwnStream make_blocking_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return OwnStream(stream);
}

DeviceBuffer make_cleared_buffer(std::uint64_t bytes) {
  DeviceBuffer buffer = make_device_buffer(bytes);
  check(cudaMemset(buffer.get(), 0, bytes));
  check(cudaDeviceSynchronize());
  return buffer;
}

void order(cudaStream_t first, cudaStream_t second, const OrderingEvent& event) {
  event.record_on(first);
  event.wait_on(second);
}

BusyKernel::BusyKernel(double us, Extent extent)
    : host_(make_pinned_buffer(2 * bytes_of(extent))),
      job_(one_kernel(extent), host_.get(), host_.get() + bytes_of(extent)),
      in_(make_cleared_buffer(bytes_of(extent))),
      out_(make_cleared_buffer(bytes_of(extent))),
      step_(*std::ranges::find(job_.steps, Stage::transform, &Step::stage)) {
  std::fill_n(host_.get(), 2 * bytes_of(extent), std::byte{});
  step_.rounds = rounds_for(job_, us);
}

void BusyKernel::enqueue(cudaStream_t stream, int times) const {
  for (int i = 0; i < times; ++i) {
    transform(step_, Scratch{{in_.get(), out_.get()}}).enqueue(stream);
  }
}

double BusyKernel::wall_us(cudaStream_t stream) const {
  return timed_us([&] {
    enqueue(stream);
    check(cudaStreamSynchronize(stream));
  });
}

void copy_to_device(void* device, const void* host, std::uint64_t bytes, cudaStream_t stream) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
}

void copy_to_host(void* host, const void* device, std::uint64_t bytes, cudaStream_t stream) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
}

double count_of(const std::byte* memory, std::uint64_t bytes, int value) {
  return static_cast<double>(std::count(memory, memory + bytes, std::byte(value)));
}

std::string beside(const std::string& call, const std::string& work) {
  return call + " beside " + work;
}

std::string alone(const std::string& call) { return call + " alone"; }

BesideWork::BesideWork(std::string what, std::function<void(cudaStream_t)> enqueue)
    : what_(std::move(what)), enqueue_(std::move(enqueue)) {}

double BesideWork::call_us(const TriedCall& call, bool beside) const {
  call.before();
  if (beside) enqueue_(stream());
  const double us = timed_us(call.call);
  check(cudaDeviceSynchronize());
  call.after();
  return us;
}

std::vector<Condition> BesideWork::conditions(const std::vector<TriedCall>& calls) const {
  std::vector<Condition> all{work()};
  for (const TriedCall& call : calls) {
    all.push_back({alone(call.name), [this, call] { return call_us(call, false); }});
    all.push_back(beside_work(call));
  }
  return all;
}

Condition BesideWork::work() const {
  return {what_, [this] {
            return timed_us([this] {
              enqueue_(stream());
              check(cudaStreamSynchronize(stream()));
            });
          }};
}

Condition BesideWork::beside_work(const TriedCall& call) const {
  TriedCall waiting = call;
  waiting.call = [call] {
    call.call();
    check(cudaDeviceSynchronize());
  };
  return {beside(call.name, what_),
          [this, call] { return call_us(call, true); },
          {[this, call] { return call_us(call, false); },
           [this, waiting] { return call_us(waiting, true); }}};
}

std::optional<bool> waits(const Readings& r, const std::string& call, const std::string& what) {
  const auto more_us = [&](double q) {
    return r.at(beside(call, what), q) - r.median(alone(call));
  };
  return decided(more_us(0.25) > r.median(what) / 2, more_us(0.75) < r.median(what) / 10);
}

std::string times_of(const Readings& r, const std::string& call, const std::string& what) {
  return fmt::format("{} takes {} beside {} of {}, {} alone", call, r.time(beside(call, what)),
                     what, r.time(what), r.time(alone(call)));
}

Conclusion whether_they_wait(const Readings& readings, const std::vector<std::string>& calls,
                             const std::string& what) {
  return Conclusion(calls, [&](const std::string& call) -> CaseAnswer {
    return {call, waits(readings, call, what), times_of(readings, call, what)};
  });
}

}  // namespace trilane
