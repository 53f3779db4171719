#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::memset_beside_kernel {

constexpr std::uint64_t bytes = 4 << 10, large_bytes = 16 << 20;
constexpr const char *memset = "a memset of 4 KiB", *in = "a copy in of 4 KiB",
                     *out = "a copy out of 4 KiB", *large = "a memset of 16 MiB",
                     *small = "a small kernel", *full = "a kernel on all SMs",
                     *one_block = "a kernel of one block";

class MemsetBesideKernel : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    const auto tried = [this](const char* name, std::function<void()> enqueue) {
      return TriedCall{name, [this, enqueue] {
                         enqueue();
                         synchronise();
                       }};
    };
    const TriedCall large_memset = tried(large, [this] { clear(large_bytes); });
    std::vector<Condition> all = filling_.conditions(
        {tried(memset, [this] { clear(bytes); }), large_memset,
         tried(in, [this] { copy_to_device(device_.get(), host_.get(), bytes, stream()); }),
         tried(out, [this] { copy_to_host(host_.get(), device_.get(), bytes, stream()); }),
         tried(small, [this] { small_.enqueue(stream()); })});
    all.push_back(leaving_room_.work());
    all.push_back(leaving_room_.beside_work(large_memset));
    return all;
  }

  static Conclusion conclude(const Readings& readings) {
    // If a small kernel finds room, the SMs are not full, and the test shows nothing.
    const Conclusion room = whether_they_wait(readings, {small}, full);
    if (room.finding() != Finding::yes) return Conclusion().add(std::nullopt, room.sentence());
    return whether_they_wait(readings, {memset, large, in, out}, full)
        .add(beside(large, one_block), waits(readings, large, one_block),
             times_of(readings, large, one_block));
  }

 private:
  void clear(std::uint64_t size) { check(cudaMemsetAsync(device_.get(), 0, size, stream())); }

  BusyKernel full_{2000, Extent::all_sms}, one_block_{2000};
  BesideWork filling_{full, [this](cudaStream_t stream) { full_.enqueue(stream); }};
  BesideWork leaving_room_{one_block, [this](cudaStream_t stream) { one_block_.enqueue(stream); }};
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(large_bytes);
  BusyKernel small_{5};
};

const Enrolled<MemsetBesideKernel> enrolled(
    {.name = "memset_beside_kernel",
     .subject = Subject::copies,
     .text = "Is a memset a kernel: does it wait if another stream's kernel fills the SMs? Does a "
             "copy?",
     .claim = "A memset is done by a copy engine, and never waits for kernels.",
     .meaning = "A memset that waits here runs on the SMs as a kernel does, and waits for room "
                "there; what follows it on its stream waits, too. If the SMs have room, it runs at "
                "once. A memset that does not wait, and a copy, need no SM.",
     .documentation = "The programming guide promises overlap of kernels and copies, and says "
                      "nothing about where memsets run.",
     .not_modelled = "kernels that leave no room on the SMs for others"});

}  // namespace trilane::memset_beside_kernel
