#include "common/measure/ask/parts/experiment.hpp"
#include "common/measure/gpu/host_buffer.hpp"

namespace trilane::write_combined {

constexpr std::uint64_t sizes[] = {16 << 10, 1 << 20}, most_bytes = 1 << 20;
constexpr std::uint64_t read_bytes = 16 << 10;
const std::string plain = "pinned memory", combined = "write-combined memory";

std::string sent(std::uint64_t bytes, const std::string& kind) {
  return fmt::format("{} written and copied in, {}", format_bytes(bytes), kind);
}

std::string read(const std::string& kind) {
  return fmt::format("{} read by the CPU, {}", format_bytes(read_bytes), kind);
}

class WriteCombined : public StreamExperiment {
 public:
  WriteCombined() {
    std::memset(plain_.get(), 0, most_bytes);
    std::memset(combined_.get(), 0, most_bytes);
  }

  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const std::uint64_t bytes : sizes) {
      const auto plain_us = [this, bytes] { return send_us(plain_.get(), bytes); };
      const auto combined_us = [this, bytes] { return send_us(combined_.get(), bytes); };
      all.push_back({sent(bytes, plain), plain_us, {combined_us, [plain_us] {
                                                      return plain_us() + plain_us();
                                                    }}});
      all.push_back({sent(bytes, combined), combined_us, {plain_us, nothing_us}});
    }
    all.push_back({read(plain), [this] { return read_us(plain_.get()); }});
    all.push_back({read(combined), [this] { return read_us(combined_.get()); }});
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion(sizes, [&](std::uint64_t bytes) -> CaseAnswer {
      const std::string from_plain = sent(bytes, plain), from_combined = sent(bytes, combined);
      return {format_bytes(bytes),
              decided(r.above(from_plain, from_combined, 1.05),
                      r.median(from_combined) > 0.98 * r.median(from_plain)),
              fmt::format("{} written by the CPU are on the device after {} in pinned "
                          "memory, {} in write-combined memory",
                          format_bytes(bytes), r.time(from_plain), r.time(from_combined))};
    });
    return conclusion.note(fmt::format("to read {} takes the CPU {} and {}",
                                       format_bytes(read_bytes), r.time(read(plain)),
                                       r.time(read(combined))));
  }

 private:
  double send_us(std::byte* host, std::uint64_t bytes) const {
    return done_us([&] {
      std::memcpy(host, source_.data(), bytes);
      copy_to_device(device_.get(), host, bytes, stream());
    });
  }

  double read_us(const std::byte* host) {
    const auto* const words = reinterpret_cast<const std::uint64_t*>(host);
    return timed_us([&] {
      sum_ = std::accumulate(words, words + read_bytes / sizeof *words, std::uint64_t{0});
    });
  }

  HostBuffer plain_ = make_host_buffer(most_bytes, HostMemory::pinned),
             combined_ = make_host_buffer(most_bytes, HostMemory::write_combined);
  std::vector<std::byte> source_ = std::vector<std::byte>(most_bytes, std::byte{1});
  DeviceBuffer device_ = make_device_buffer(most_bytes);
  volatile std::uint64_t sum_ = 0;  // so that the reads are not optimised away
};

const Enrolled<WriteCombined> enrolled(
    {.name = "write_combined",
     .subject = Subject::copies,
     .text = "Do parameters reach the device sooner from write-combined memory?",
     .claim = "Write-combined memory makes every copy to the device faster.",
     .meaning = "If so, allocate parameters that the CPU only writes with "
                "cudaHostAllocWriteCombined, and never read them there. If reading takes no longer "
                "than from pinned memory, the flag has no effect on this machine.",
     .documentation = "The programming guide says that transfers from it may be up to 40% faster, "
                      "and warns against reads by the host.",
     .not_modelled = "write-combined memory"});

}  // namespace trilane::write_combined
