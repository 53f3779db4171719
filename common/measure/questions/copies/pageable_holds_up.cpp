#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/host_buffer.hpp"

namespace trilane::pageable_holds_up {

constexpr std::uint64_t sizes[] = {4 << 10, 64 << 10, 1 << 20}, most_bytes = 1 << 20;

std::string in(std::uint64_t bytes) { return fmt::format("a copy in of {}", format_bytes(bytes)); }

std::string out(std::uint64_t bytes) {
  return fmt::format("a copy out of {}", format_bytes(bytes));
}

class PageableHoldsUp : public Experiment {
 public:
  PageableHoldsUp() { std::memset(host_.get(), 0, most_bytes); }

  std::vector<Condition> conditions() override {
    std::vector<TriedCall> calls;
    for (const std::uint64_t bytes : sizes) {
      // On the kernel's stream, so that the copy follows the kernel.
      calls.push_back({.name = in(bytes), .call = [this, bytes] {
                         copy_to_device(device_.get(), host_.get(), bytes, kernel_.stream());
                       }});
      calls.push_back({.name = out(bytes), .call = [this, bytes] {
                         copy_to_host(host_.get(), device_.get(), bytes, kernel_.stream());
                       }});
    }
    return kernel_.conditions(calls);
  }

  static Conclusion conclude(const Readings& readings) {
    std::vector<std::string> calls;
    for (const std::uint64_t bytes : sizes) calls.insert(calls.end(), {in(bytes), out(bytes)});
    return whether_they_wait(readings, calls);
  }

 private:
  BesideKernel kernel_;
  HostBuffer host_ = make_host_buffer(most_bytes, HostMemory::pageable);
  DeviceBuffer device_ = make_cleared_buffer(most_bytes);
};

const Enrolled<PageableHoldsUp> enrolled(
    {.name = "pageable_holds_up",
     .subject = Subject::copies,
     .text = "Does cudaMemcpyAsync of pageable memory wait for a kernel before it on its stream?",
     .claim = "cudaMemcpyAsync never waits for earlier work, because it is asynchronous.",
     .meaning = "If so, the thread that calls it issues nothing to other streams meanwhile, and "
                "their overlap is lost. Use pinned memory in a loop.",
     .documentation = "The runtime's reference says that such a call may first wait for the "
                      "stream, and gives no sizes."});

}  // namespace trilane::pageable_holds_up
