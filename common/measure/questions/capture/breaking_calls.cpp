#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::breaking_calls {

constexpr std::uint64_t bytes = 4 << 10;

struct Memory {
  DeviceBuffer device = make_device_buffer(bytes);
  PinnedBuffer pinned = make_pinned_buffer(bytes);
  std::vector<std::byte> pageable = std::vector<std::byte>(bytes);
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
    {"cudaMalloc",
     [](const Memory&, cudaStream_t) {
       void* memory = nullptr;
       if (cudaMalloc(&memory, bytes) == cudaSuccess) cudaFree(memory);
     }},
    {"cudaDeviceSynchronize", [](const Memory&, cudaStream_t) { cudaDeviceSynchronize(); }},
    {"cudaEventQuery", [](const Memory& m, cudaStream_t) { cudaEventQuery(m.event.get()); }},
    {"a batch of copies",
     [](const Memory& m, cudaStream_t stream) {
       copy_in_batch(m.device.get(), m.pinned.get(), bytes, stream);
     }},
    {"cudaMemcpyAsync from pageable memory",
     [](const Memory& m, cudaStream_t stream) {
       cudaMemcpyAsync(m.device.get(), m.pageable.data(), bytes, cudaMemcpyDefault, stream);
     }},
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
    std::vector<Condition> all;
    for (const Tried& call : calls) {
      all.push_back(
          {ending(call), error(call), {error(nothing), error(calls[0])}, Quantity::error});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const Tried& call : calls) {
      const double least = r.at(ending(call), 0), most = r.at(ending(call), 1);
      conclusion.add(call.name, decided(least != 0, most == 0),
                     fmt::format("with {} a capture ends with error {:.0f}", call.name, most));
    }
    return conclusion;
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
