#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::failed_capture_log {

constexpr std::uint64_t bytes = 4;

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
/// While it lives, adds the messages of the error log.
class Listening : boost::noncopyable {
 public:
  explicit Listening(std::vector<std::string>& to) {
    const auto add = [](void* data, cudaLogLevel, char* message, std::size_t length) {
      static_cast<std::vector<std::string>*>(data)->emplace_back(message, length);
    };
    check(cudaLogsRegisterCallback(add, &to, &handle_));
  }
  ~Listening() { warn(cudaLogsUnregisterCallback(handle_)); }

 private:
  cudaLogsCallbackHandle handle_{};
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
    Conclusion conclusion;
    for (const Broken& broken : all_broken) {
      conclusion.add(broken.by, decided(r.at(naming(broken), 0) > 0, r.at(naming(broken), 1) == 0),
                     fmt::format("of a capture broken by {} the log has {} messages, {} of which "
                                 "name the call",
                                 broken.by, r.median(logged(broken)), r.median(naming(broken))));
    }
    return conclusion;
  }

 private:
  double count_messages(Mistake mistake, const char* wanted) {
    std::vector<std::string> messages;
    {
      const Listening listening(messages);
      const auto outcome = capture_(cudaStreamCaptureModeGlobal,
                                    [&](cudaStream_t stream) { make(mistake, stream); });
      if ((outcome.code == cudaSuccess) != (mistake == Mistake::none))
        throw std::runtime_error("the capture did not end as it should");
    }
    return static_cast<double>(std::ranges::count_if(messages, [&](const std::string& message) {
      return message.find(wanted) != std::string::npos;
    }));
  }

  void make(Mistake mistake, cudaStream_t stream) const {
    void* memory = nullptr;
    switch (mistake) {
      case Mistake::none: return;
      case Mistake::wait: cudaStreamSynchronize(stream); return;
      case Mistake::allocation:
        if (cudaMalloc(&memory, bytes) == cudaSuccess) cudaFree(memory);
        return;
      case Mistake::unjoined: break;
    }
    fork_.record_on(stream);
    fork_.wait_on(other_.get());
    check(cudaMemsetAsync(device_.get(), 0, bytes, other_.get()));
  }

  Stream other_ = make_stream();
  OrderingEvent fork_;
  DeviceBuffer device_ = make_device_buffer(bytes);
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
