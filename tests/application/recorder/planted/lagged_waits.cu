// The host waits for the work of an earlier iteration, and runs ahead of the latest one: by a ring
// of events; with "buffers" before it uses a buffer again; with "pool" before it allocates more.
// Each of these waits is needed.
#include <cstring>

#include "planted_app.hpp"

namespace {

/// Each step uses the result of the step before the previous one.
void ring(int count, Checksum& checksum) {
  constexpr int slots = 4, behind = 2;
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  cudaEvent_t there[slots] = {new_event(), new_event(), new_event(), new_event()};
  fill(in, 31);
  CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
  for (int i = 0; i < count; ++i) {
    launch_mix(a, b, stream, static_cast<std::uint32_t>(i));
    launch_mix(b, a, stream);
    std::uint32_t* const slot = out + i % slots * 64;
    CHECK(cudaMemcpyAsync(slot, a, 64 * sizeof *a, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaEventRecord(there[i % slots], stream));
    if (i < behind) continue;
    const int asked = (i - behind) % slots;
    CHECK(cudaEventSynchronize(there[asked]));
    checksum.add(out + asked * 64, 64);
  }
  CHECK(cudaStreamSynchronize(stream));
  checksum.add(out, slots * 64);
}

/// Two alternating buffers: the host fills one while the other is copied and used.
void buffers(int count, Checksum& checksum) {
  cudaStream_t upload = new_stream(), work = new_stream();
  std::uint32_t *in[2] = {pinned(), pinned()}, *out[2] = {pinned(), pinned()};
  std::uint32_t *a[2] = {on_device(), on_device()}, *b[2] = {on_device(), on_device()};
  cudaEvent_t there[2] = {new_event(), new_event()}, done[2] = {new_event(), new_event()};
  for (int i = 0; i < count; ++i) {
    const int now = i % 2;
    if (i >= 2) {
      CHECK(cudaEventSynchronize(done[now]));
      checksum.add(out[now], 16);
    }
    fill(in[now], static_cast<std::uint32_t>(i));
    CHECK(cudaMemcpyAsync(a[now], in[now], bytes, cudaMemcpyHostToDevice, upload));
    CHECK(cudaEventRecord(there[now], upload));
    CHECK(cudaStreamWaitEvent(work, there[now], 0));
    launch_mix(a[now], b[now], work);
    CHECK(cudaMemcpyAsync(out[now], b[now], bytes, cudaMemcpyDeviceToHost, work));
    CHECK(cudaEventRecord(done[now], work));
  }
  CHECK(cudaDeviceSynchronize());
  checksum.add(out[0]);
  checksum.add(out[1]);
}

/// One stream allocates and fills, another uses and frees; at most two steps hold memory.
void pool(int count, Checksum& checksum) {
  cudaStream_t producer = new_stream(), consumer = new_stream();
  std::uint32_t *in = on_device(), *sum = on_device(), *out = pinned();
  cudaEvent_t made = new_event(), used[2] = {new_event(), new_event()};
  CHECK(cudaMemset(in, 5, bytes));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    if (i >= 2) CHECK(cudaEventSynchronize(used[i % 2]));
    void* memory = nullptr;
    CHECK(cudaMallocAsync(&memory, bytes, producer));
    auto* const scratch = static_cast<std::uint32_t*>(memory);
    launch_mix(in, scratch, producer, static_cast<std::uint32_t>(i));
    CHECK(cudaEventRecord(made, producer));
    CHECK(cudaStreamWaitEvent(consumer, made, 0));
    launch_mix(scratch, sum, consumer);
    CHECK(cudaFreeAsync(memory, consumer));
    CHECK(cudaEventRecord(used[i % 2], consumer));
  }
  CHECK(cudaMemcpyAsync(out, sum, bytes, cudaMemcpyDeviceToHost, consumer));
  CHECK(cudaStreamSynchronize(consumer));
  checksum.add(out);
}

}  // namespace

int main(int argc, char** argv) {
  const int count = iterations(argc, argv);
  const auto is = [&](const char* how) { return argc > 2 && std::strcmp(argv[2], how) == 0; };
  Checksum checksum;
  (is("buffers") ? buffers : is("pool") ? pool : ring)(count, checksum);
  checksum.print();
}
