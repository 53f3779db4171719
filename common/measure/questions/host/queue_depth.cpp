#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::queue_depth {

constexpr int most = 2000;           // operations to try
constexpr double blocked_us = 1000;  // a longer call has waited for room
constexpr std::uint64_t bytes = 4;
constexpr const char *kernels = "kernels", *memsets = "memsets", *copies = "copies in";

std::string queued(const char* kind) { return fmt::format("{} queued before one blocks", kind); }

class QueueDepth : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    return {
        condition(kernels, [this] { small_.enqueue(stream()); }),
        condition(memsets, [this] { check(cudaMemsetAsync(device_.get(), 0, bytes, stream())); }),
        condition(copies, [this] { copy_to_device(device_.get(), host_.get(), bytes, stream()); })};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const char* const kind : {kernels, memsets, copies}) {
      const double typical = r.median(queued(kind)), fewest = r.at(queued(kind), 0);
      conclusion.add(kind,
                     decided(r.at(queued(kind), 0.75) < most, r.at(queued(kind), 0.25) >= most),
                     fmt::format("{} of {} {} were queued behind a long kernel before a call took "
                                 "more than 1 ms (fewest {})",
                                 typical, most, kind, fewest));
    }
    return conclusion;
  }

 private:
  Condition condition(const char* kind, std::function<void()> enqueue) {
    return {queued(kind),
            [=, this] { return count(enqueue, Ahead::long_kernel); },
            {[=, this] { return count(enqueue, Ahead::nothing); }},
            Quantity::count};
  }

  enum class Ahead { nothing, long_kernel };

  double count(const std::function<void()>& enqueue, Ahead ahead) {
    if (ahead == Ahead::long_kernel) long_.enqueue(stream());
    int done = 0;
    while (done < most && timed_us(enqueue) < blocked_us) ++done;
    synchronise();
    return done;
  }

  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  // Queueing all of them takes the host about 7 ms.
  BusyKernel long_{14000}, small_{0};
};

const Enrolled<QueueDepth> enrolled(
    {.name = "queue_depth",
     .subject = Subject::host_calls,
     .text = "Does the host block when it queues many operations on a stream?",
     .claim = "A launch always returns at once, however many are queued.",
     .meaning = "If so, a thread that runs far ahead of the device waits inside a launch, and "
                "issues nothing to other streams meanwhile. Launch graphs, or wait for an event "
                "some hundred operations back.",
     .documentation = "The programming guide says that launches return before the work is done, "
                      "and names no number that a stream takes."});

}  // namespace trilane::queue_depth
