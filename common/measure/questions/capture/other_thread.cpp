#include "common/measure/ask/parts/tried_capture.hpp"

namespace trilane::other_thread {

/// The other thread goes into the relaxed mode before it allocates, or does not.
enum class Care { none, relaxes };

struct Case {
  const char* name;
  cudaStreamCaptureMode mode;
  Care care;
};
constexpr Case cases[] = {
    {"global mode", cudaStreamCaptureModeGlobal, Care::none},
    {"global mode, the other thread in relaxed mode", cudaStreamCaptureModeGlobal, Care::relaxes},
    {"thread-local mode", cudaStreamCaptureModeThreadLocal, Care::none},
    {"relaxed mode", cudaStreamCaptureModeRelaxed, Care::none}};

void allocate(Care care) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  if (care == Care::relaxes) cudaThreadExchangeStreamCaptureMode(&mode);
  try_allocation();
}

class OtherThread : public Experiment {
 public:
  OtherThread() { check(cudaGetDevice(&device_)); }

  std::vector<Condition> conditions() override {
    return transformed(std::span(cases), [&](const Case& one) -> Condition {
      const auto captured = [this, mode = one.mode](const std::function<void()>& meanwhile) {
        return [this, mode, meanwhile] {
          return static_cast<double>(capture_(mode, [&](cudaStream_t) { meanwhile(); }).code);
        };
      };
      const auto in_thread = [this, care = one.care] {
        std::thread([&] {
          if (cudaSetDevice(device_) == cudaSuccess) allocate(care);
        }).join();
      };
      const auto legacy = [this] { cudaMemset(memory_.get(), 0, 1); };
      return {capture_of(one),
              captured(in_thread),
              {captured([] {}), captured(legacy)},
              Quantity::error};
    });
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(cases, [&](const Case& one) -> CaseAnswer {
      return {one.name, r.always(capture_of(one)),
              fmt::format("in {} the capture ends with error {:.0f}", one.name,
                          r.at(capture_of(one), 1))};
    });
  }

 private:
  static std::string capture_of(const Case& one) {
    return fmt::format("end of a capture beside cudaMalloc in another thread, {}", one.name);
  }

  int device_ = 0;
  DeviceBuffer memory_ = make_device_buffer(1);
  TriedCapture capture_;
};

const Enrolled<OtherThread> enrolled(
    {.name = "capture_other_thread",
     .subject = Subject::graphs,
     .text = "Does cudaMalloc in another thread break a capture?",
     .claim = "A capture concerns only the thread and the stream that are captured.",
     .meaning =
         "If it breaks in the global mode, which most examples use, capture in the thread-local "
         "mode, or let the other thread go into the relaxed mode by "
         "cudaThreadExchangeStreamCaptureMode while it allocates.",
     .documentation = "The reference says that the global mode forbids unsafe calls in every "
                      "thread, the thread-local mode only in the capturing one.",
     .not_modelled = "captures that calls of other threads break"});

}  // namespace trilane::other_thread
