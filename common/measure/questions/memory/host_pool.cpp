#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::host_pool {

constexpr std::uint64_t bytes = 8 << 20;
constexpr const char *pinned = "cudaMallocHost and cudaFreeHost",
                     *pooled = "allocation and free from a host pool",
                     *pinned_copy = "copy in from cudaMallocHost",
                     *pooled_copy = "copy in from a host pool",
                     *open_copy = "copy in from a host pool that the device may access";

MemoryPool make_host_pool(bool open) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeHost;
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  std::uint64_t keep = UINT64_MAX;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  if (open) check(cudaMemPoolSetAccess(pool, &access, 1));
  return MemoryPool(pool);
}

class HostPool : public StreamExperiment {
 public:
  HostPool() : from_pool_(allocated(pool_)), from_open_(allocated(open_)) {
    synchronise();
    std::memset(from_pool_, 1, bytes);
    std::memset(from_open_, 1, bytes);
  }
  ~HostPool() override {
    warn(cudaFreeAsync(from_pool_, stream()));
    warn(cudaFreeAsync(from_open_, stream()));
  }

  std::vector<Condition> conditions() override {
    const auto slow = [] { return timed_us([] { make_pinned_buffer(bytes); }); };
    const auto copy = [this](const void* from) { return [=, this] { return copy_us(from); }; };
    return {{pinned, slow},
            {pooled, [this] { return allocation_us(); }, {slow}},
            {pinned_copy, copy(pinned_.get())},
            {pooled_copy, copy(from_pool_), {copy(from_open_)}},
            {open_copy, copy(from_open_)}};
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion()
        .add("allocation", r.costs_more(pinned, pooled, 5, 2),
             fmt::format("for {} {} take {}, {} {}", format_bytes(bytes), pinned, r.time(pinned),
                         pooled, r.time(pooled)))
        .add("copies",
             decided(!r.above(pooled_copy, pinned_copy, 1.5),
                     r.above(pooled_copy, pinned_copy, 1.5)),
             fmt::format("a {} takes {}, {} {}, {} {}", pinned_copy, r.time(pinned_copy),
                         pooled_copy, r.time(pooled_copy), open_copy, r.time(open_copy)));
  }

 private:
  void* allocated(const MemoryPool& pool) const {
    void* memory = nullptr;
    check(cudaMallocFromPoolAsync(&memory, bytes, pool.get(), stream()));
    return memory;
  }

  double allocation_us() const {
    return issued_us([&] { check(cudaFreeAsync(allocated(open_), stream())); });
  }

  double copy_us(const void* from) const {
    return done_us([&] { copy_to_device(device_.get(), from, bytes, stream()); });
  }

  MemoryPool pool_ = make_host_pool(false), open_ = make_host_pool(true);
  PinnedBuffer pinned_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  void *from_pool_, *from_open_;
};

const Enrolled<HostPool> enrolled(
    {.name = "host_pool",
     .subject = Subject::memory,
     .text = "Is page-locked memory from a host pool cheaper, and as fast to copy from?",
     .claim = "Page-locked memory is always expensive to allocate, and always fast to copy.",
     .meaning = "Take staging buffers of changing size from a pool whose location is the host, and "
                "open it to the device by cudaMemPoolSetAccess: without that, a copy runs at the "
                "rate of pageable memory, and no error says so.",
     .documentation = "The reference permits pools whose location is the host or a NUMA node, and "
                      "names no cost.",
     .not_modelled = "pools of host memory"});

}  // namespace trilane::host_pool
