#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::source_order {

constexpr std::uint64_t bytes = 64 << 10;
constexpr std::size_t copies = 16, all_bytes = copies * bytes;

struct Case {
  const char* name;
  cudaMemcpySrcAccessOrder order;
  bool pinned;
};
constexpr Case cases[] = {
    {"in stream order from pinned memory", cudaMemcpySrcAccessOrderStream, true},
    {"during the call from pinned memory", cudaMemcpySrcAccessOrderDuringApiCall, true},
    {"in any order from pinned memory", cudaMemcpySrcAccessOrderAny, true},
    {"in stream order from pageable memory", cudaMemcpySrcAccessOrderStream, false},
    {"during the call from pageable memory", cudaMemcpySrcAccessOrderDuringApiCall, false}};

std::string call_of(const Case& one) { return fmt::format("a batch read {}", one.name); }
std::string changed_in(const Case& one) { return fmt::format("changed later, read {}", one.name); }

enum class Host { goes_on, waits };

class SourceOrder : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Case& one : cases) {
      const auto changed = [this](const Case& tried, Host then) {
        return [=, this] { return run(tried, then).changed; };
      };
      all.push_back({call_of(one), [=, this] { return run(one, Host::goes_on).call_us; }});
      all.push_back({changed_in(one),
                     changed(one, Host::goes_on),
                     {changed(one, Host::waits), changed(cases[0], Host::goes_on)},
                     Quantity::count});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(cases, [&](const Case& one) -> CaseAnswer {
      const double most = r.at(changed_in(one), 1);
      return {one.name, most == 0,
              fmt::format("read {} the call takes {} and up to {:.0f} bytes change", one.name,
                          r.time(call_of(one)), most)};
    });
  }

 private:
  struct Outcome {
    double call_us, changed;
  };

  /// Issues a batch behind a kernel, and overwrites its sources when the call has returned.
  Outcome run(const Case& one, Host then) {
    std::byte* const source = one.pinned ? pinned_.get() : pageable_.data();
    std::memset(source, 1, all_bytes);
    void* to[copies];
    const void* from[copies];
    std::vector<std::size_t> sizes(copies, bytes);
    std::size_t first = 0;
    for (std::size_t i = 0; i < copies; ++i) {
      to[i] = device_.get() + i * bytes;
      from[i] = source + i * bytes;
    }
    cudaMemcpyAttributes how{};
    how.srcAccessOrder = one.order;
    kernel_.enqueue(stream());
    const double us = timed_us([&] {
      check(cudaMemcpyBatchAsync(to, from, sizes.data(), copies, &how, &first, 1, stream()));
    });
    if (then == Host::waits) synchronise();
    std::memset(source, 2, all_bytes);
    synchronise();
    check(cudaMemcpy(arrived_.get(), device_.get(), all_bytes, cudaMemcpyDeviceToHost));
    return {us, count_of(arrived_.get(), all_bytes, 2)};
  }

  PinnedBuffer pinned_ = make_pinned_buffer(all_bytes), arrived_ = make_pinned_buffer(all_bytes);
  std::vector<std::byte> pageable_ = std::vector<std::byte>(all_bytes);
  DeviceBuffer device_ = make_device_buffer(all_bytes);
  BusyKernel kernel_{500};
};

const Enrolled<SourceOrder> enrolled(
    {.name = "batch_source_order",
     .subject = Subject::copies,
     .text = "May the sources of a batch be overwritten when the call has returned?",
     .claim = "The order in which a batch reads its sources is a hint for speed.",
     .meaning = "Where the answer is no, keep the sources until the stream is done. Reading during "
                "the call is for sources that end with the call, as on the stack, and the host "
                "pays for it as shown.",
     .documentation = "The reference says that sources are read in stream order, during the call, "
                      "or in any order, before or after the stream's earlier work.",
     .not_modelled = "the order in which a batch reads its sources"});

}  // namespace trilane::source_order
