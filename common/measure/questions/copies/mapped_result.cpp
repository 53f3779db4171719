#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::mapped_result {

constexpr std::uint64_t sizes[] = {4, 4 << 10}, most_bytes = 4 << 10;

std::string by_copy(std::uint64_t bytes) {
  return fmt::format("kernel, copy of {} out, wait", format_bytes(bytes));
}

std::string mapped(std::uint64_t bytes) {
  return fmt::format("kernel writes {} to mapped memory, wait", format_bytes(bytes));
}

class MappedResult : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const std::uint64_t bytes : sizes) {
      const auto copied_us = [this, bytes] { return run_us(out_.get(), bytes, true); };
      const auto mapped_us = [this, bytes] { return run_us(mapped_, bytes, false); };
      all.push_back({by_copy(bytes), copied_us, {mapped_us}});
      all.push_back({mapped(bytes), mapped_us, {copied_us}});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(sizes, [&](std::uint64_t bytes) -> CaseAnswer {
      const std::string copy = by_copy(bytes), direct = mapped(bytes);
      return {format_bytes(bytes), r.costs_more(copy, direct, 1.1, 1.03),
              fmt::format("a kernel whose result of {} the host has waited for takes {} "
                          "with a copy, {} with mapped memory",
                          format_bytes(bytes), r.time(copy), r.time(direct))};
    });
  }

 private:
  /// Times a kernel that writes to `to`, a copy to the host if `copies`, and the wait for both.
  double run_us(std::byte* to, std::uint64_t bytes, bool copies) {
    Operation kernel(copy_launch(in_.get(), to, bytes));
    return done_us([&] {
      kernel.enqueue(stream());
      if (copies) copy_to_host(host_.get(), to, bytes, stream());
    });
  }

  PinnedBuffer host_ = make_pinned_buffer(most_bytes);
  std::byte* mapped_ = device_address(host_.get());
  DeviceBuffer in_ = make_cleared_buffer(most_bytes), out_ = make_device_buffer(most_bytes);
};

const Enrolled<MappedResult> enrolled(
    {.name = "mapped_result",
     .subject = Subject::copies,
     .text = "Does a small result reach the host sooner through mapped memory than by a copy?",
     .claim = "Mapped memory is always slower than a copy.",
     .meaning = "If so, let the last kernel write a small result straight into mapped pinned "
                "memory. It is there once the host has waited for the kernel.",
     .documentation = "The programming guide names mapped memory as a way to avoid copies, and "
                      "gives no sizes for which it pays off."});

}  // namespace trilane::mapped_result
