// Is a memset a kernel? Does it, or a copy, run beside another stream's kernel?
#include <fmt/format.h>

#include "common/ask/parts/beside_work.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t bytes = 4 << 10, large_bytes = 16 << 20;
constexpr const char *memset = "a memset of 4 KiB", *in = "a copy in of 4 KiB",
                     *out = "a copy out of 4 KiB", *large = "a memset of 16 MiB",
                     *small = "a small kernel", *full = "a kernel on all SMs";

class MemsetBesideKernel : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    const auto tried = [this](const char* name, std::function<void()> enqueue) {
      return TriedCall{name, [this, enqueue] {
                         enqueue();
                         check(cudaStreamSynchronize(stream_.get()));
                       }};
    };
    return work_.conditions({tried(memset, [this] { clear(bytes); }),
                             tried(large, [this] { clear(large_bytes); }),
                             tried(in,
                                   [this] {
                                     check(cudaMemcpyAsync(device_.get(), host_.get(), bytes,
                                                           cudaMemcpyHostToDevice, stream_.get()));
                                   }),
                             tried(out,
                                   [this] {
                                     check(cudaMemcpyAsync(host_.get(), device_.get(), bytes,
                                                           cudaMemcpyDeviceToHost, stream_.get()));
                                   }),
                             tried(small, [this] { small_.enqueue(stream_.get()); })});
  }

  static Conclusion conclude(const Readings& readings) {
    // A small kernel that finds room shows that the SMs are not full: then nothing is shown.
    const Conclusion room = whether_they_wait(readings, {small}, full);
    if (room.finding() != Finding::yes) return Conclusion().add(std::nullopt, room.sentence());
    return whether_they_wait(readings, {memset, large, in, out}, full);
  }

 private:
  void clear(std::uint64_t size) { check(cudaMemsetAsync(device_.get(), 0, size, stream_.get())); }

  BusyKernel kernel_{2000, Extent::all_sms};
  BesideWork work_{full, [this](cudaStream_t stream) { kernel_.enqueue(stream); }};
  Stream stream_ = make_stream();
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(large_bytes);
  BusyKernel small_{5};
};

const Enrolled<MemsetBesideKernel> enrolled(
    {.name = "memset_beside_kernel",
     .subject = Subject::copies,
     .text = "Does a memset or a copy wait for a kernel of another stream that fills the SMs?",
     .claim = "A memset is done by a copy engine, and never waits for kernels.",
     .meaning =
         "What waits here is run by the SMs, and waits for room there; what follows it on its "
         "stream waits, too. Copies have engines of their own.",
     .documentation = "The programming guide promises overlap of kernels and copies, and says "
                      "nothing about where memsets run.",
     .not_modelled = "kernels that leave no room on the SMs for others"});

}  // namespace
}  // namespace trilane
