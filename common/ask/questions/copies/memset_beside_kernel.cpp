// Is a memset a kernel? Does it, or a copy, run beside another stream's kernel?
#include <fmt/format.h>

#include "common/ask/parts/beside_work.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t bytes = 4 << 10;
constexpr const char *memset = "a memset of 4 KiB", *in = "a copy in of 4 KiB",
                     *out = "a copy out of 4 KiB", *full = "a kernel on all SMs";

class MemsetBesideKernel : public Experiment {
 public:
  std::vector<Condition> conditions() override {
    return work_.conditions({{.name = memset,
                              .call =
                                  [this] {
                                    check(cudaMemsetAsync(device_.get(), 0, bytes, stream_.get()));
                                    wait();
                                  }},
                             {.name = in,
                              .call =
                                  [this] {
                                    check(cudaMemcpyAsync(device_.get(), host_.get(), bytes,
                                                          cudaMemcpyHostToDevice, stream_.get()));
                                    wait();
                                  }},
                             {.name = out, .call = [this] {
                                check(cudaMemcpyAsync(host_.get(), device_.get(), bytes,
                                                      cudaMemcpyDeviceToHost, stream_.get()));
                                wait();
                              }}});
  }

  static Conclusion conclude(const Readings& readings) {
    return whether_they_wait(readings, {memset, in, out}, full);
  }

 private:
  void wait() { check(cudaStreamSynchronize(stream_.get())); }

  BusyKernel kernel_{2000, Extent::all_sms};
  BesideWork work_{full, [this](cudaStream_t stream) { kernel_.enqueue(stream); }};
  Stream stream_ = make_stream();
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
};

const Enrolled<MemsetBesideKernel> enrolled(
    {.name = "memset_beside_kernel",
     .subject = Subject::copies,
     .text = "Does a memset or a copy wait for a kernel of another stream that fills the SMs?",
     .meaning = "Copies have engines of their own. A memset is a small kernel: while another fills "
                "all SMs it waits for room, and what follows it on its stream waits, too.",
     .documentation = "The programming guide promises overlap of kernels and copies, and says "
                      "nothing about where memsets run.",
     .not_modelled = "kernels that leave no room on the SMs for others"});

}  // namespace
}  // namespace trilane
