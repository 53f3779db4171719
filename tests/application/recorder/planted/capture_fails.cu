// Tries to capture each iteration, which one call breaks: a memset on the legacy stream; with
// "allocates" an allocation; with "unjoined" work of a second stream that is not joined. With
// "batch" and "pageable" the capture is tried once, and its result is on standard error.
#include <cstring>

#include "planted_app.hpp"

namespace {

struct Work {
  const char* how = "legacy";
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  std::vector<std::uint32_t> pageable = std::vector<std::uint32_t>(words);
  cudaStream_t stream = new_stream(cudaStreamDefault), other = new_stream();
  cudaEvent_t forked = new_event();
  bool is(const char* mode) const { return std::strcmp(how, mode) == 0; }
};

void copy_batch(Work& work) {
  void* to[] = {work.a, work.a + words / 2};
  const void* from[] = {work.in, work.in + words / 2};
  std::size_t sizes[] = {bytes / 2, bytes / 2}, holds_from[] = {0};
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  static_cast<void>(
      cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, holds_from, 1, work.stream));
}

/// Nothing checks the errors of the call that breaks a capture.
void iterate(Work& work, bool captures) {
  if (work.is("batch")) {
    copy_batch(work);
  } else {
    const void* const from = work.is("pageable") ? work.pageable.data() : work.in;
    static_cast<void>(cudaMemcpyAsync(work.a, from, bytes, cudaMemcpyHostToDevice, work.stream));
  }
  mix<<<words / 256, 256, 0, work.stream>>>(work.a, work.b, words, 3);
  if (work.is("legacy")) static_cast<void>(cudaMemset(work.a, 0, 64));
  void* memory = nullptr;
  if (work.is("allocates") && cudaMalloc(&memory, bytes) == cudaSuccess) {
    static_cast<void>(cudaFree(memory));
  }
  if (work.is("unjoined") && captures) {
    static_cast<void>(cudaEventRecord(work.forked, work.stream));
    static_cast<void>(cudaStreamWaitEvent(work.other, work.forked, 0));
    static_cast<void>(cudaMemsetAsync(work.a, 0, 64, work.other));
  }
  mix<<<words / 256, 256, 0, work.stream>>>(work.b, work.b, words, 4);
}

/// Returns the result of ending the capture.
cudaError_t try_capture(Work& work) {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(work.stream, cudaStreamCaptureModeGlobal));
  iterate(work, true);
  const cudaError_t code = cudaStreamEndCapture(work.stream, &graph);
  static_cast<void>(cudaGetLastError());
  if (code != cudaSuccess) return code;
  std::size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::fprintf(stderr, "captured %zu nodes\n", nodes);
  CHECK(cudaGraphDestroy(graph));
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  Work work;
  if (argc > 2) work.how = argv[2];
  const bool once = work.is("batch") || work.is("pageable");
  fill(work.in, 32);
  work.pageable.assign(work.in, work.in + words);
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    if (i == 0 || !once) {
      const cudaError_t code = try_capture(work);
      if (i == 0) std::fprintf(stderr, "capture: %s\n", cudaGetErrorName(code));
    }
    iterate(work, false);
    CHECK(cudaMemcpyAsync(work.out, work.b, bytes, cudaMemcpyDeviceToHost, work.stream));
    CHECK(cudaStreamSynchronize(work.stream));
    checksum.add(work.out, 16);
  }
  checksum.print();
}
