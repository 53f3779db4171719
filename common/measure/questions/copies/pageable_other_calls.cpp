#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/crew.hpp"
#include "common/measure/gpu/host_buffer.hpp"

namespace trilane::pageable_other_calls {

constexpr std::uint64_t bytes = 64 << 20;
constexpr double pause_us = 20;  // between launches, so that they do not fill the stream
constexpr double most_us = 1e6;  // of launches, in case the copy fails
constexpr const char *copy = "a copy of 64 MiB from pageable memory, the call",
                     *alone = "a launch, no copy elsewhere",
                     *beside = "a launch while another thread copies",
                     *longest = "the longest of those during one copy";

class PageableOtherCalls : public Experiment {
 public:
  /// Touches the memory, because untouched memory would map to one page of zeros.
  PageableOtherCalls() { std::memset(host_.get(), 0, bytes); }

  std::vector<Condition> conditions() override {
    return {{copy, [this] { return run(Copying::yes).copy_us; }},
            {alone, [this] { return run(Copying::no).mean_us; }},
            {beside,
             [this] { return run(Copying::yes).mean_us; },
             {[this] { return run(Copying::no).mean_us; },
              [this] { return run(Copying::yes).copy_us; }}},
            {longest, [this] { return run(Copying::yes).longest_us; }}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(beside, alone, 2, 1.3),
        fmt::format("a launch takes {} while another thread copies 64 MiB from pageable memory in "
                    "{}, and {} without; the longest of those during one copy takes {}",
                    r.time(beside), r.time(copy), r.time(alone), r.time(longest)));
  }

 private:
  enum class Copying { no, yes };

  struct Times {
    double copy_us = 0, mean_us = 0, longest_us = 0;
  };

  /// Launches in one thread while another copies, or does nothing for as long as a copy takes.
  Times run(Copying copying) {
    Times times;
    std::atomic<bool> begun = false, ended = false;
    const std::function<void(std::uint32_t)> work = [&](std::uint32_t member) {
      if (member == 0) {
        begun = true;
        times.copy_us = timed_us([&] { copying == Copying::yes ? copy_in() : spend_us(5000); });
        ended = true;
      } else {
        while (!begun) {
        }
        spend_us(pause_us);  // by now the other thread is inside its call
        launch_until(ended, times);
      }
    };
    crew_.run(work);
    check(cudaDeviceSynchronize());
    return times;
  }

  void copy_in() const { copy_to_device(device_.get(), host_.get(), bytes, copying_.get()); }

  void launch_until(const std::atomic<bool>& ended, Times& times) const {
    const double start_us = now_us();
    double total_us = 0, launches = 0;
    do {
      const double us = timed_us([this] { kernel_.enqueue(launching_.get()); });
      times.longest_us = std::max(times.longest_us, us);
      total_us += us;
      ++launches;
      spend_us(pause_us);
    } while (!ended && now_us() - start_us < most_us);
    times.mean_us = total_us / launches;
  }

  HostBuffer host_ = make_host_buffer(bytes, HostMemory::pageable);
  DeviceBuffer device_ = make_device_buffer(bytes);
  BusyKernel kernel_{5};
  Stream copying_ = make_stream(), launching_ = make_stream();
  Crew crew_{2};
};

const Enrolled<PageableOtherCalls> enrolled(
    {.name = "pageable_other_calls",
     .subject = Subject::copies,
     .text = "Does a copy of pageable memory in one thread hold up launches of another?",
     .claim = "A thread of its own for pageable copies leaves the launches of others alone.",
     .meaning = "If so, the threads wait for each other inside the driver: a thread of its own "
                "does not make a pageable copy asynchronous. Use pinned memory.",
     .documentation = "The runtime's reference says that any call may block if internal resources "
                      "are contended, and names none.",
     .not_modelled = "a pageable copy of one thread beside calls of another"});

}  // namespace trilane::pageable_other_calls
