#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::breaking_calls {

constexpr std::uint64_t bytes = TriedMemory::bytes;

struct Memory : TriedMemory {
  Event event = make_ordering_event();
};

/// A call whose error does not count: the capture's own tells whether it broke.
struct Tried {
  const char* name;
  void (*make)(const Memory&, cudaStream_t);
};

constexpr Tried nothing{"nothing", [](const Memory&, cudaStream_t) {}};

constexpr Tried calls[] = {
    {"cudaMemset on the legacy stream",
     [](const Memory& m, cudaStream_t) { cudaMemset(m.device.get(), 0, bytes); }},
    {"cudaMalloc", [](const Memory&, cudaStream_t) { try_allocation(); }},
    {"cudaDeviceSynchronize", [](const Memory&, cudaStream_t) { cudaDeviceSynchronize(); }},
    {"cudaEventQuery", [](const Memory& m, cudaStream_t) { cudaEventQuery(m.event.get()); }},
    {"a batch of copies", [](const Memory& m, cudaStream_t stream) { copy_in_batch(m, stream); }},
    {"cudaMemcpyAsync from pageable memory",
     [](const Memory& m, cudaStream_t stream) { copy_pageable(m, stream); }},
    {"cudaMemcpyPeerAsync within the device",
     [](const Memory& m, cudaStream_t stream) {
       cudaMemcpyPeerAsync(m.device.get() + bytes / 2, 0, m.device.get(), 0, bytes / 2, stream);
     }},
    {"cudaMallocAsync", [](const Memory&, cudaStream_t stream) {
       void* memory = nullptr;
       if (cudaMallocAsync(&memory, bytes, stream) == cudaSuccess) cudaFreeAsync(memory, stream);
     }}};

std::string ending(const Tried& call) { return fmt::format("end of a capture with {}", call.name); }

class BreakingCalls : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto error = [this](const Tried& call) {
      return [this, call] {
        const auto issue = [&](cudaStream_t stream) { call.make(memory_, stream); };
        return static_cast<double>(capture_(cudaStreamCaptureModeGlobal, issue).code);
      };
    };
    return transformed(std::span(calls), [&](const Tried& call) -> Condition {
      return {ending(call), error(call), {error(nothing), error(calls[0])}, Quantity::error};
    });
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(calls, [&](const Tried& call) -> CaseAnswer {
      return {call.name, r.always(ending(call)),
              fmt::format("with {} a capture ends with error {:.0f}", call.name,
                          r.at(ending(call), 1))};
    });
  }

 private:
  Memory memory_;
  TriedCapture capture_;
};

const Enrolled<BreakingCalls> enrolled(
    {.name = "capture_breaks",
     .subject = Subject::graphs,
     .text = "Does a call that a graph cannot hold break the capture?",
     .claim = "A capture ignores what is not issued on the captured stream.",
     .meaning =
         "Check each call as well as cudaStreamEndCapture. A no does not say that the call is in "
         "the graph: a batch of copies is refused, and the capture goes on without it. In "
         "global mode even calls without a stream break a capture.",
     .documentation = "The programming guide forbids the legacy stream, waits and queries, and the "
                      "reference tells of calls that are unsafe in the global mode.",
     .not_modelled = "most calls that break a capture"});

}  // namespace trilane::breaking_calls
