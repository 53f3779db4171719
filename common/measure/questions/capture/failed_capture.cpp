#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::failed_capture {

constexpr int kernels = 16;
constexpr const char *after_good = "16 launches and the wait, after a capture",
                     *after_bad = "16 launches and the wait, after a failed capture",
                     *next_good = "capture and instantiation, after a capture",
                     *next_bad = "capture and instantiation, after a failed capture";

enum class Capture { succeeds, fails };

class FailedCapture : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto launches = [this](Capture first, int times = 1) {
      return [=, this] {
        make(first);
        return done_us([&] { kernel_.enqueue(stream(), times * kernels); });
      };
    };
    const auto capture = [this](Capture first) {
      return [=, this] {
        make(first);
        return timed_us([&] { instantiate(trilane::capture(issue_)); });
      };
    };
    return {{after_good, launches(Capture::succeeds)},
            {after_bad, launches(Capture::fails), {launches(Capture::fails, 3)}},
            {next_good, capture(Capture::succeeds)},
            {next_bad, capture(Capture::fails)}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion()
        .add("launches", r.costs_more(after_bad, after_good, 1.3, 1.15),
             fmt::format("{} launches and the wait take {} after a failed capture and {} after "
                         "one that succeeded",
                         kernels, r.time(after_bad), r.time(after_good)))
        .add("the next capture", r.costs_more(next_bad, next_good, 1.3, 1.15),
             fmt::format("the next capture and its instantiation take {} and {}", r.time(next_bad),
                         r.time(next_good)));
  }

 private:
  void make(Capture how) {
    capture_(cudaStreamCaptureModeThreadLocal, [&](cudaStream_t stream) {
      issue_(stream);
      if (how == Capture::fails) cudaStreamSynchronize(stream);
    });
  }

  BusyKernel kernel_{0};
  Issue issue_ = [this](cudaStream_t stream) { kernel_.enqueue(stream, kernels); };
  TriedCapture capture_;
};

const Enrolled<FailedCapture> enrolled(
    {.name = "capture_failed",
     .subject = Subject::graphs,
     .text = "Does a failed capture make later work slower?",
     .claim = "After a failed capture the stream, or the process, is of no use any more.",
     .meaning = "If not, try the capture, and issue the calls themselves if it fails: end it with "
                "cudaStreamEndCapture, and clear the error with cudaGetLastError.",
     .documentation = "The reference says that a failed capture must be ended, and that its "
                      "stream may then be used again.",
     .not_modelled = "what a failed capture costs"});

}  // namespace trilane::failed_capture
