#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/mix.hpp"
#include "kernels/transform.hpp"

namespace trilane::missing_event {

constexpr std::uint64_t words = 4096, bytes = 4 * words;
constexpr const char *early = "words that the kernel read before the copy",
                     *early_with = "the same with an event between",
                     *time_without = "copy and kernel without an event",
                     *time_with = "copy and kernel with an event";

class MissingEvent : public Experiment {
 public:
  MissingEvent() { std::fill_n(reinterpret_cast<std::uint32_t*>(host_.get()), words, 1u); }

  std::vector<Condition> conditions() override {
    const auto with_event = [this] { return read_early(true); };
    return {{early, [this] { return read_early(false); }, {with_event}, Quantity::count},
            {early_with, with_event, {}, Quantity::count},
            {time_without, [this] { return run_us(false); }},
            {time_with, [this] { return run_us(true); }}};
  }

  static Conclusion conclude(const Readings& r) {
    const double most = r.at(early, 1), most_with = r.at(early_with, 1);
    return Conclusion().add(
        decided(most == 0 && most_with == 0, most > 0 && most_with == 0),
        fmt::format("without an event the kernel read up to {} of {} words before they were "
                    "copied, with one {}; both took {} without and {} with it",
                    most, words, most_with, r.time(time_without), r.time(time_with)));
  }

 private:
  /// Runs a copy behind a long kernel on one stream, and a kernel that reads its result on another.
  double run_us(bool with_event) {
    check(cudaMemset(in_.get(), 0, bytes));
    check(cudaMemset(out_.get(), 0, bytes));
    check(cudaDeviceSynchronize());
    return timed_us([&] {
      kernel_.enqueue(copying_.get());
      copy_to_device(in_.get(), host_.get(), bytes, copying_.get());
      if (with_event) order(copying_.get(), reading_.get(), event_);
      Operation(transform_launch(reinterpret_cast<const std::uint32_t*>(in_.get()),
                                 reinterpret_cast<std::uint32_t*>(out_.get()), words, words, 0, 1))
          .enqueue(reading_.get());
      check(cudaDeviceSynchronize());
    });
  }

  double read_early(bool with_event) {
    run_us(with_event);
    check(cudaMemcpy(result_.get(), out_.get(), bytes, cudaMemcpyDeviceToHost));
    const auto* const found = reinterpret_cast<const std::uint32_t*>(result_.get());
    return static_cast<double>(words) -
           static_cast<double>(std::count(found, found + words, mix(1u ^ salt(0), 1)));
  }

  Stream copying_ = make_stream(), reading_ = make_stream();
  OrderingEvent event_;
  PinnedBuffer host_ = make_pinned_buffer(bytes), result_ = make_pinned_buffer(bytes);
  DeviceBuffer in_ = make_device_buffer(bytes), out_ = make_device_buffer(bytes);
  BusyKernel kernel_{200};
};

const Enrolled<MissingEvent> enrolled(
    {.name = "missing_event",
     .subject = Subject::order,
     .text = "Does a kernel wait for a copy on another stream that writes what it reads?",
     .claim = "A kernel waits for a copy on another stream if it reads what that copy writes.",
     .meaning = "Only an event, a wait of the host or the same stream orders two operations. A "
                "missing event does not stall: it gives wrong data, now and then.",
     .documentation = "The programming guide gives no order between streams other than by events, "
                      "synchronisation and the legacy default stream."});

}  // namespace trilane::missing_event
