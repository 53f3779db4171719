#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::failed_capture_log {

enum class Mistake { none, wait, allocation, unjoined };
struct Broken {
  const char *by, *call;  // the name that driver and runtime share
  Mistake mistake;
};
constexpr Broken all_broken[] = {
    {"cudaStreamSynchronize", "StreamSynchronize", Mistake::wait},
    {"cudaMalloc", "Alloc", Mistake::allocation},
    {"a stream that is not joined", "StreamEndCapture", Mistake::unjoined}};

std::string logged(const Broken& broken) { return fmt::format("messages, {}", broken.by); }
std::string naming(const Broken& broken) { return fmt::format("naming the call, {}", broken.by); }

/// Collects the messages that the error log gets while it lives.
struct Listening : boost::noncopyable {
  Listening() {
    const auto add = [](void* data, cudaLogLevel, char* message, std::size_t length) {
      static_cast<std::vector<std::string>*>(data)->emplace_back(message, length);
    };
    check(cudaLogsRegisterCallback(add, &messages, &handle));
  }
  ~Listening() { warn(cudaLogsUnregisterCallback(handle)); }

  std::vector<std::string> messages{};
  cudaLogsCallbackHandle handle{};
};

class FailedCaptureLog : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Broken& broken : all_broken) {
      const auto count = [this, &broken](Mistake mistake, const char* wanted) {
        return [=, this] { return count_messages(mistake, wanted); };
      };
      all.push_back({logged(broken), count(broken.mistake, ""), {}, Quantity::count});
      all.push_back({naming(broken),
                     count(broken.mistake, broken.call),
                     {count(Mistake::none, broken.call), [] { return 1.0; }},
                     Quantity::count});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(all_broken, [&](const Broken& broken) -> CaseAnswer {
      return {broken.by, r.always(naming(broken)),
              fmt::format("of a capture broken by {} the log has {} messages, {} of which name "
                          "the call",
                          broken.by, r.median(logged(broken)), r.median(naming(broken)))};
    });
  }

 private:
  double count_messages(Mistake mistake, const char* wanted) {
    const Listening log;
    const auto outcome =
        capture_(cudaStreamCaptureModeGlobal, [&](cudaStream_t stream) { make(mistake, stream); });
    if ((outcome.code == cudaSuccess) != (mistake == Mistake::none)) {
      throw std::runtime_error("the capture did not end as it should");
    }
    return static_cast<double>(std::ranges::count_if(log.messages, [&](const std::string& message) {
      return message.find(wanted) != std::string::npos;
    }));
  }

  void make(Mistake mistake, cudaStream_t stream) const {
    switch (mistake) {
      case Mistake::none: return;
      case Mistake::wait: cudaStreamSynchronize(stream); return;
      case Mistake::allocation: return try_allocation();
      case Mistake::unjoined: break;
    }
    order(stream, other_.get(), fork_);
    check(cudaMemsetAsync(device_.get(), 0, 4, other_.get()));
  }

  Stream other_ = make_stream();
  OrderingEvent fork_;
  DeviceBuffer device_ = make_device_buffer(4);
  TriedCapture capture_;
};

const Enrolled<FailedCaptureLog> enrolled(
    {.name = "failed_capture_log",
     .subject = Subject::graphs,
     .text = "Does the error log say what broke a capture?",
     .claim = "A broken capture gives an error code, and which call broke it can only be guessed.",
     .meaning = "If so, run with CUDA_LOG_FILE=stderr, or register a callback by "
                "cudaLogsRegisterCallback, before searching for the call that broke a capture.",
     .documentation = "The programming guide says that the error log describes the cause of an "
                      "error in plain English; it lists no messages.",
     .not_modelled = "the error log"});

}  // namespace trilane::failed_capture_log
