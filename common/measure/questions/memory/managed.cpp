#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::managed {

constexpr std::uint64_t bytes = 32 << 20, parts = 8;  // of a batch
constexpr const char *left_alone = "a kernel on managed memory left alone",
                     *prefetched = "a prefetch, and the kernel",
                     *batch = "a prefetch of 8 parts in a batch, and the kernel",
                     *copied = "a copy from pinned memory, and the kernel";

enum class Prefetch { none, whole, batched };

class Managed : public StreamExperiment {
 public:
  Managed() {
    void* memory = nullptr;
    check(cudaMallocManaged(&memory, bytes));
    managed_.reset(static_cast<std::byte*>(memory));
    check(cudaGetDevice(&there_.id));
    there_.type = cudaMemLocationTypeDevice;
  }

  std::vector<Condition> conditions() override {
    const auto run = [this](Prefetch how) { return [=, this] { return managed_us(how); }; };
    return {{left_alone, run(Prefetch::none), {run(Prefetch::whole)}},
            {prefetched, run(Prefetch::whole), {run(Prefetch::none)}},
            {batch, run(Prefetch::batched), {run(Prefetch::whole)}},
            {copied, [this] { return copied_us(); }}};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const char* const how : {left_alone, prefetched, batch}) {
      conclusion.add(how, r.costs_more(how, copied, 1.3, 1.2),
                     fmt::format("{} takes {}", how, r.time(how)));
    }
    return conclusion.note(
        fmt::format("{} of {} takes {}", copied, format_bytes(bytes), r.time(copied)));
  }

 private:
  void use(std::byte* in) const {
    Operation(copy_launch(in, device_.get(), bytes)).enqueue(stream());
    synchronise();
  }

  /// Returns the time until a kernel has read what the host has just written.
  double managed_us(Prefetch how) {
    std::memset(managed_.get(), ++value_, bytes);
    return timed_us([&] {
      prefetch(how);
      use(managed_.get());
    });
  }

  double copied_us() {
    std::memset(host_.get(), ++value_, bytes);
    return timed_us([&] {
      copy_to_device(copy_.get(), host_.get(), bytes, stream());
      use(copy_.get());
    });
  }

  void prefetch(Prefetch how) {
    switch (how) {
      case Prefetch::none: return;
      case Prefetch::whole:
        return check(cudaMemPrefetchAsync(managed_.get(), bytes, there_, 0, stream()));
      case Prefetch::batched: break;
    }
    void* at[parts];
    std::size_t sizes[parts], first = 0;
    for (std::uint64_t i = 0; i < parts; ++i) {
      at[i] = managed_.get() + i * (bytes / parts);
      sizes[i] = bytes / parts;
    }
    check(cudaMemPrefetchBatchAsync(at, sizes, parts, &there_, &first, 1, 0, stream()));
  }

  int value_ = 0;
  cudaMemLocation there_{};
  DeviceBuffer managed_, copy_ = make_device_buffer(bytes), device_ = make_device_buffer(bytes);
  PinnedBuffer host_ = make_pinned_buffer(bytes);
};

const Enrolled<Managed> enrolled(
    {.name = "managed_memory",
     .subject = Subject::memory,
     .text = "Is managed memory slower than a copy from pinned memory?",
     .claim = "With a prefetch, managed memory is as fast as a copy.",
     .meaning = "Where the case with a prefetch is slower, too, use pinned memory and copies for "
                "what crosses the bus in every pass.",
     .documentation = "The programming guide recommends prefetches, which spare page faults, and "
                      "names no figure.",
     .not_modelled = "managed memory"});

}  // namespace trilane::managed
