// Iterations in which something can be left out or moved. The second argument names the case; a
// third, "changed", makes the change, which leaves the same result:
// - "waits": for something already waited for; with "needed" each orders two streams;
// - "memset": of bytes that a copy then overwrites; with "half" the copy leaves half of them;
// - "legacy": an event in the legacy stream between a copy and a kernel; with "ordered" the kernel
//   uses what was copied, and nothing else makes it wait for that;
// - "barrier": a kernel there instead of the event;
// - "marks": an event there by which the host waits for two streams. With "changed" it is recorded
//   in one of them only, which leaves another result;
// - "overlap": a copy in the stream of a kernel that uses other data; with "same" it uses these.
#include <cstring>

#include "planted_app.hpp"

namespace {

constexpr std::size_t large = 4 << 20;

/// Takes some 50 us, and uses nothing but `data`.
__global__ void turn(std::uint32_t* data, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  std::uint32_t value = data[i];
  for (int n = 0; n < 10000; ++n) value = value * 2654435761u + 1;
  data[i] = value;
}
void launch_turn(std::uint32_t* data, cudaStream_t stream) {
  turn<<<words / 256, 256, 0, stream>>>(data, words);
  CHECK(cudaGetLastError());
}

void waits(bool changed, cudaStream_t stream, std::uint32_t* a, std::uint32_t* out) {
  launch_mix(a, a, stream);
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 8 && !changed; ++i) CHECK(cudaStreamSynchronize(stream));
}

void needed(cudaStream_t stream, std::uint32_t* a, std::uint32_t* out) {
  static cudaStream_t second = new_stream();
  static std::uint32_t* b = on_device();
  launch_mix(a, b, second);
  CHECK(cudaStreamSynchronize(second));
  launch_mix(b, a, stream);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, second));
  CHECK(cudaStreamSynchronize(second));
}

void set_and_copy(bool set, bool part, cudaStream_t stream, std::uint32_t* a, std::uint32_t* out) {
  static std::uint32_t* b = on_device();
  static std::uint32_t* in = nullptr;
  if (in == nullptr) fill(in = pinned(), 17);
  if (set) CHECK(cudaMemsetAsync(b, 0, bytes, stream));
  CHECK(cudaMemcpyAsync(b, in, part ? bytes / 2 : bytes, cudaMemcpyHostToDevice, stream));
  launch_mix(b, a, stream);
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
}

void legacy(bool changed, bool ordered, bool barrier, std::uint32_t* a, std::uint32_t* out) {
  static cudaStream_t copies = new_stream(cudaStreamDefault), work = new_stream(cudaStreamDefault);
  static cudaStream_t other = new_stream();
  static cudaEvent_t copied = new_event();
  static std::uint32_t* b = on_device();
  static void *from = nullptr, *to = nullptr;
  if (from == nullptr) {
    CHECK(cudaMallocHost(&from, large));
    std::memset(from, 0, large);
    CHECK(cudaMalloc(&to, large));
  }
  CHECK(cudaMemcpyAsync(to, from, large, cudaMemcpyHostToDevice, copies));
  if (barrier)
    launch_mix(b, b, changed ? other : nullptr);
  else
    CHECK(cudaEventRecord(copied, changed ? copies : nullptr));
  if (ordered) launch_mix(static_cast<std::uint32_t*>(to), a, work);
  launch_turn(a, work);
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, work));
  CHECK(cudaDeviceSynchronize());
}

void marks(bool changed, std::uint32_t* a, std::uint32_t* out) {
  static cudaStream_t copies = new_stream(cudaStreamDefault), work = new_stream(cudaStreamDefault),
                      later = new_stream(cudaStreamDefault);
  static cudaEvent_t done = new_event();
  static std::uint32_t *from = pinned(), *to = on_device(), *b = on_device();
  launch_turn(a, work);
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, work));
  CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copies));
  CHECK(cudaEventRecord(done, changed ? copies : nullptr));
  launch_mix(b, b, later);
  CHECK(cudaEventSynchronize(done));
}

void overlap(bool changed, bool same, cudaStream_t stream, std::uint32_t* a, std::uint32_t* out) {
  static cudaStream_t second = new_stream();
  static std::uint32_t *from = pinned(), *to = on_device();
  launch_turn(a, stream);
  CHECK(cudaMemcpyAsync(same ? a : to, from, bytes, cudaMemcpyHostToDevice,
                        changed ? second : stream));
  CHECK(cudaMemcpyAsync(out, a, bytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  const auto is = [&](const char* how) { return argc > 2 && std::strcmp(argv[2], how) == 0; };
  const bool changed = argc > 3 && std::strcmp(argv[3], "changed") == 0;
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 11);
  CHECK(cudaMemcpy(a, in, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < iterations(argc, argv); ++i) {
    if (is("memset"))
      set_and_copy(!changed, false, stream, a, out);
    else if (is("half"))
      set_and_copy(true, true, stream, a, out);
    else if (is("legacy") || is("ordered") || is("barrier"))
      legacy(changed, is("ordered"), is("barrier"), a, out);
    else if (is("marks"))
      marks(changed, a, out);
    else if (is("overlap") || is("same"))
      overlap(changed, is("same"), stream, a, out);
    else if (is("needed"))
      needed(stream, a, out);
    else
      waits(changed, stream, a, out);
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
