// Allocates from a pool in each iteration. The second argument selects how. Of these the pool
// grows, or holds more than is used:
// - "stream": frees in a stream that is busy, and nothing orders the next allocation behind that;
// - "ahead": the same without a wait of the host;
// - "leak": never frees;
// - "sizes": holes between small blocks are too small for the next ones;
// - "released": the pool keeps nothing at a wait.
// With these it settles:
// - "same": one size in one stream;
// - "event": as "stream", with an event behind each free;
// - "host": frees in another stream, for which the host waits;
// - "own": a pool of its own, which keeps its memory;
// - "alternate": two sizes in turn.
#include <string>

#include "planted_app.hpp"

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

/// Keeps its stream busy for about a millisecond.
__global__ void spin() {
  const long long start = clock64();
  while (clock64() - start < 2'000'000) {
  }
}

cudaMemPool_t default_pool() {
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  return pool;
}

cudaMemPool_t own_pool() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  return pool;
}

class Loop {
 public:
  explicit Loop(std::string how) : how_(std::move(how)) {
    CHECK(cudaMemset(in_, 7, bytes));
    std::uint64_t kept = is("released") ? 0 : UINT64_MAX;
    CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &kept));
    CHECK(cudaDeviceSynchronize());
  }

  void iterate(int turn);
  void end() {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out_, sum_, bytes, cudaMemcpyDeviceToHost));
    checksum_.add(out_);
    checksum_.print();
  }

 private:
  bool is(const char* how) const { return how_ == how; }
  std::uint32_t* allocate(std::size_t size) {
    void* memory = nullptr;
    CHECK(is("own") ? cudaMallocFromPoolAsync(&memory, size, pool_, one_)
                    : cudaMallocAsync(&memory, size, one_));
    return static_cast<std::uint32_t*>(memory);
  }
  void order(cudaStream_t before, cudaStream_t after) {
    CHECK(cudaEventRecord(event_, before));
    CHECK(cudaStreamWaitEvent(after, event_, 0));
  }
  void pass_on();
  void leave_holes();

  const std::string how_;
  const cudaMemPool_t pool_ = is("own") ? own_pool() : default_pool();
  const cudaStream_t one_ = new_stream(), two_ = new_stream();
  const cudaEvent_t event_ = new_event();
  std::uint32_t *in_ = on_device(), *sum_ = on_device(), *out_ = pinned();
  Checksum checksum_;
};

/// One stream fills, and the other uses and frees.
void Loop::pass_on() {
  std::uint32_t* const memory = allocate(32 * mib);
  launch_mix(in_, memory, one_);
  order(one_, two_);
  if (!is("host")) spin<<<1, 1, 0, two_>>>();
  launch_mix(memory, sum_, two_);
  CHECK(cudaFreeAsync(memory, two_));
  if (is("event")) order(two_, one_);
}

void Loop::leave_holes() {
  constexpr int count = 64;
  void* small[count];
  for (auto& block : small) CHECK(cudaMallocAsync(&block, 4 * mib, one_));
  for (int i = 0; i < count; ++i) {
    if (i % 4 != 0) CHECK(cudaFreeAsync(small[i], one_));
  }
  void* large[count / 5];
  for (auto& block : large) CHECK(cudaMallocAsync(&block, 16 * mib, one_));
  launch_mix(in_, static_cast<std::uint32_t*>(large[0]), one_);
  launch_mix(static_cast<std::uint32_t*>(large[0]), sum_, one_);
  for (void* const block : large) CHECK(cudaFreeAsync(block, one_));
  for (int i = 0; i < count; i += 4) CHECK(cudaFreeAsync(small[i], one_));
}

void Loop::iterate(int turn) {
  const bool passes_on = is("stream") || is("ahead") || is("event") || is("host");
  if (is("sizes")) {
    leave_holes();
  } else if (passes_on) {
    for (int i = 0; i < (is("stream") || is("event") ? 8 : 1); ++i) pass_on();
  } else {
    std::uint32_t* const memory = allocate((is("alternate") && turn % 2 == 0 ? 16 : 32) * mib);
    launch_mix(in_, memory, one_);
    launch_mix(memory, sum_, one_);
    if (!is("leak")) CHECK(cudaFreeAsync(memory, one_));
  }
  if (is("ahead")) return;
  const cudaStream_t last = passes_on ? two_ : one_;
  CHECK(cudaMemcpyAsync(out_, sum_, bytes, cudaMemcpyDeviceToHost, last));
  CHECK(cudaStreamSynchronize(last));
}

}  // namespace

int main(int argc, char** argv) {
  Loop loop(argc > 2 ? argv[2] : "same");
  for (int i = 0; i < iterations(argc, argv); ++i) loop.iterate(i);
  loop.end();
}
