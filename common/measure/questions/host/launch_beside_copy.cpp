#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::launch_beside_copy {

constexpr std::uint64_t copied_bytes = 64 << 20;
constexpr const char *launch = "a kernel launch", *copy = "a copy of 64 MiB";

class LaunchBesideCopy : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return copying_.conditions(
        {{.name = launch, .call = [this] { kernel_.enqueue(lane_.get()); }}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {launch}, copy);
  }

 private:
  PinnedBuffer host_ = make_pinned_buffer(copied_bytes);
  DeviceBuffer device_ = make_device_buffer(copied_bytes);
  BesideWork copying_{copy, [this](cudaStream_t stream) {
                        copy_to_device(device_.get(), host_.get(), copied_bytes, stream);
                      }};
  Stream lane_ = make_stream();
  BusyKernel kernel_{5};
};

const Enrolled<LaunchBesideCopy> enrolled(
    {.name = "launch_beside_copy",
     .subject = Subject::host_calls,
     .text = "Does a kernel launch block the host while a large copy runs on another stream?",
     .claim = "A kernel launch blocks the host while a large copy runs.",
     .meaning = "If not, copies from pinned memory need no thread of their own. Copies from "
                "pageable memory do hold up the thread that calls them.",
     .documentation = "The programming guide lets kernel launches and copies of page-locked memory "
                      "return at once and run side by side."});

}  // namespace trilane::launch_beside_copy
