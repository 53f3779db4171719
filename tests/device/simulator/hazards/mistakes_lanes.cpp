// Mistakes with events and lanes.
#include "tests/device/simulator/hazards/mistakes.hpp"
#include "tests/device/simulator/hazards/scene.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::mistakes {

namespace {

using rules::order;
using rules::use;

void record(const Event& event, cudaStream_t stream) {
  check(cudaEventRecord(event.get(), stream));
}
void wait(cudaStream_t stream, const Event& event) {
  check(cudaStreamWaitEvent(stream, event.get(), 0));
}

std::string missing_event(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  if (!planted) order(s.a, s.b);
  s.download(s.memory.get(), s.b);
  return s.result();
}

std::string event_too_early(bool planted) {
  const Scene s;
  const Event event = make_ordering_event();
  if (planted) record(event, s.a);
  s.upload(s.memory.get(), s.a);
  if (!planted) record(event, s.a);
  wait(s.b, event);
  s.download(s.memory.get(), s.b);
  return s.result();
}

std::string wait_before_record(bool planted) {
  const Scene s;
  const Event event = make_ordering_event();
  s.upload(s.memory.get(), s.a);
  if (planted) wait(s.b, event);
  record(event, s.a);
  if (!planted) wait(s.b, event);
  s.download(s.memory.get(), s.b);
  return s.result();
}

std::string event_used_again(bool planted) {
  const Scene s;
  const Event uploaded = make_ordering_event(), other = make_ordering_event();
  s.upload(s.memory.get(), s.a);
  record(uploaded, s.a);
  record(planted ? uploaded : other, s.b);
  wait(s.b, uploaded);
  s.download(s.memory.get(), s.b);
  return s.result();
}

std::string event_of_the_wrong_lane(bool planted) {
  const Scene s;
  const Stream third = make_stream();
  s.upload(s.memory.get(), s.a);
  order(planted ? third.get() : s.a, s.b);
  s.download(s.memory.get(), s.b);
  return s.result();
}

/// The memory of lane a goes to lane b, which may write to it before a has finished with it.
std::string lane_reused(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  s.download(s.memory.get(), s.a);
  if (!planted) order(s.a, s.b);
  s.upload(s.memory.get(), s.b);
  return s.result();
}

std::string memset_on_the_wrong_lane(bool planted) {
  const Scene s;
  check(cudaMemsetAsync(s.memory.get(), 0, bytes, planted ? s.b : s.a));
  use('k', s.memory.get(), bytes, Touch::read_write, s.a);
  s.download(s.memory.get(), s.a);
  check(cudaDeviceSynchronize());
  const bool right = std::all_of(s.out.get(), s.out.get() + bytes,
                                 [](std::byte byte) { return byte == std::byte{'k'}; });
  return right ? "" : "wrong data";
}

/// Two lanes may read the same bytes concurrently, but one of them also writes.
std::string reader_writes(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  order(s.a, s.b);
  use('r', s.memory.get(), bytes, Touch::read, s.a);
  use('w', s.memory.get(), bytes, planted ? Touch::read_write : Touch::read, s.b);
  check(cudaDeviceSynchronize());
  return "";
}

/// Two lanes add to halves of one result that overlap by a byte.
std::string halves_overlap(bool planted) {
  const Scene s;
  std::byte* const half = s.memory.get() + bytes / 2;
  use('a', s.memory.get(), bytes / 2 + (planted ? 1 : 0), Touch::write, s.a);
  use('b', half, bytes / 2, Touch::write, s.b);
  check(cudaDeviceSynchronize());
  return "";
}

/// Half a buffer too far, in the right order: nothing but the data shows it.
std::string wrong_chunk(bool planted) {
  const Scene s;
  s.upload(s.memory.get(), s.a);
  order(s.a, s.b);
  const std::uint64_t half = bytes / 2;
  const std::byte* const upper = s.memory.get() + (planted ? 0 : half);
  s.download(s.memory.get(), s.b);
  check(cudaMemcpyAsync(s.out.get() + half, upper, half, cudaMemcpyDeviceToHost, s.b));
  return s.result();
}

}  // namespace

std::vector<Planted> of_lanes() {
  const std::vector<std::string> read_across{
      "copy out of 1024 bytes (stream 2, operation 2) reads what copy in of 1024 bytes (stream 1, "
      "operation 1) writes",
      "(1024 bytes of device memory)"};
  return {
      {"missing event before a cross-lane read", "unordered", read_across, missing_event},
      {"event recorded too early", "unordered", read_across, event_too_early},
      {"event waited for before it is recorded", "unordered", read_across, wait_before_record},
      {"event recorded again before it is waited for", "unordered", read_across, event_used_again},
      {"event of the wrong lane", "unordered", read_across, event_of_the_wrong_lane},
      {"lane reuse without order",
       "unordered",
       {"copy in of 1024 bytes (stream 2, operation 3) writes what copy in of 1024 bytes (stream "
        "1, operation 1) writes",
        "(1024 bytes of device memory)"},
       lane_reused},
      {"memset on the wrong lane",
       "unordered",
       {"use (stream 1, operation 2) writes what memset of 1024 bytes (stream 2, operation 1)",
        "(1024 bytes of device memory)"},
       memset_on_the_wrong_lane},
      {"one of two readers writes",
       "unordered",
       {"use (stream 2, operation 3) writes what use (stream 1, operation 2) reads",
        "(1024 bytes of device memory)"},
       reader_writes},
      {"halves of two lanes overlap",
       "unordered",
       {"use (stream 2, operation 2) writes what use (stream 1, operation 1) writes",
        "(1 bytes of device memory)"},
       halves_overlap},
      {"wrong chunk copied, in order", "wrong data", {}, wrong_chunk},
  };
}

}  // namespace trilane::simulator::mistakes
