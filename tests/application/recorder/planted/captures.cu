// Tries captures before its loop, and says in JSON what became of them. The second argument names
// the call that is tried in each, the third the mode (global, thread, relaxed), the fourth the
// thread that makes the call (same, other). "sound" tries 2,000 captures that succeed.
#include <string>
#include <thread>

#include "planted_app.hpp"

namespace {

/// The first call of a capture that failed.
struct Failure {
  int line = 0;
  cudaError_t code = cudaSuccess;
  bool other = false;  ///< another thread made it
};

struct Work {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream(cudaStreamDefault), second = new_stream();
  cudaEvent_t forked = new_event(), joined = new_event(), outside = new_event();
};

class Captures {
 public:
  Captures(Work& work, std::string how, cudaStreamCaptureMode mode, bool other)
      : work_(work), how_(std::move(how)), mode_(mode), other_(other) {}

  void attempt();
  void print() const;

 private:
  void call();
  void end();
  void fork();
  void join();
  void copy_batch();
  void notes(int line, const char* what) { noted_.push_back({line, what}); }
  bool is(const char* how) const { return how_ == how; }

  void tried(int line, cudaError_t code) {
    static_cast<void>(cudaGetLastError());
    if (code == cudaSuccess || first_.line != 0) return;
    first_ = {line, code, std::this_thread::get_id() != own_};
  }
#define TRIED(call) tried(__LINE__, call)

  Work& work_;
  const std::string how_;
  const cudaStreamCaptureMode mode_;
  const bool other_;
  const std::thread::id own_ = std::this_thread::get_id();
  Failure first_;
  std::vector<Failure> broke_, refused_;
  std::vector<std::pair<int, const char*>> noted_;
  int ended_ = 0, elsewhere_ = 0;
};

void Captures::fork() {
  TRIED(cudaEventRecord(work_.forked, work_.stream));
  TRIED(cudaStreamWaitEvent(work_.second, work_.forked, 0));
  TRIED(cudaMemsetAsync(work_.b, 0, 64, work_.second));
}

void Captures::join() {
  TRIED(cudaEventRecord(work_.joined, work_.second));
  TRIED(cudaStreamWaitEvent(work_.stream, work_.joined, 0));
}

void Captures::copy_batch() {
  void* to[] = {work_.a, work_.a + words / 2};
  const void* from[] = {work_.in, work_.in + words / 2};
  std::size_t sizes[] = {bytes / 2, bytes / 2}, holds_from[] = {0};
  cudaMemcpyAttributes attributes = {};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  TRIED(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, holds_from, 1, work_.stream));
}

/// Makes the call that is tried. Nothing else looks at its result.
void Captures::call() {
  void* memory = nullptr;
  if (is("legacy")) TRIED(cudaMemset(work_.b, 0, 64));
  if (is("malloc")) {
    const cudaError_t code = cudaMalloc(&memory, bytes);
    tried(__LINE__ - 1, code);
    if (code == cudaSuccess) TRIED(cudaFree(memory));
  }
  if (is("wait")) TRIED(cudaStreamSynchronize(work_.stream));
  if (is("query")) TRIED(cudaStreamQuery(work_.stream));
  if (is("event")) {
    TRIED(cudaEventRecord(work_.forked, work_.stream));
    TRIED(cudaEventQuery(work_.forked));
  }
  if (is("outside")) TRIED(cudaStreamWaitEvent(work_.stream, work_.outside, 0));
  if (is("merge")) {
    TRIED(cudaStreamBeginCapture(work_.second, mode_));
    TRIED(cudaEventRecord(work_.forked, work_.second));
    TRIED(cudaStreamWaitEvent(work_.stream, work_.forked, 0));
  }
  if (is("side")) {
    TRIED(cudaMemsetAsync(work_.b, 0, 64, work_.second));
    notes(__LINE__ - 1, "left out");
  }
  if (is("pool")) {
    TRIED(cudaMallocAsync(&memory, bytes, work_.stream));
    notes(__LINE__ - 1, "allocates");
    TRIED(cudaFreeAsync(memory, work_.stream));
  }
  if (is("batch")) {
    copy_batch();
  }
  if (is("unjoined") || is("sound") || is("unmatched")) fork();
  if (is("sound")) join();
}

/// Ends the capture where the way says.
void Captures::end() {
  cudaGraph_t graph = nullptr;
  if (is("unmatched")) {
    TRIED(cudaStreamEndCapture(work_.second, &graph));
    join();  // so that nothing else is wrong
  }
  if (is("thread")) {
    std::thread([&] {
      const cudaError_t code = cudaStreamEndCapture(work_.stream, &graph);
      tried(__LINE__ - 1, code);
      elsewhere_ += code == cudaSuccess;
    }).join();
  }
  cudaError_t code = cudaSuccess;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(work_.stream, &status));
  if (status != cudaStreamCaptureStatusNone) {
    code = cudaStreamEndCapture(work_.stream, &graph);
    tried(__LINE__ - 1, code);
  }
  std::size_t nodes = 0;
  if (graph != nullptr) CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  if (is("batch") && graph != nullptr && nodes == 2 && first_.line == 0) {
    notes(0, "lost batch");
  }
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph));
  ++ended_;
  if (first_.line != 0) (graph == nullptr ? broke_ : refused_).push_back(first_);
  if (is("merge")) {
    static_cast<void>(cudaStreamEndCapture(work_.second, &graph));
    static_cast<void>(cudaGetLastError());
  }
}

void Captures::attempt() {
  first_ = {};
  CHECK(cudaEventRecord(work_.outside, work_.second));
  CHECK(cudaStreamBeginCapture(work_.stream, mode_));
  mix<<<words / 256, 256, 0, work_.stream>>>(work_.a, work_.b, words, 3);
  if (other_) {
    std::thread([this] { call(); }).join();
  } else {
    call();
  }
  mix<<<words / 256, 256, 0, work_.stream>>>(work_.b, work_.b, words, 4);
  static_cast<void>(cudaGetLastError());
  end();
}

void Captures::print() const {
  std::printf("tried {\"ended\": %d, \"elsewhere\": %d, \"calls\": [", ended_, elsewhere_);
  const char* separator = "";
  const auto print_all = [&](const std::vector<Failure>& all, const char* effect) {
    for (const Failure& one : all) {
      std::printf("%s[\"%s\", %d, %d, %s]", separator, effect, one.line, one.code,
                  one.other ? "true" : "false");
      separator = ", ";
    }
  };
  print_all(broke_, "broke");
  print_all(refused_, "refused");
  for (const auto& [line, effect] : noted_) {
    std::printf("%s[\"%s\", %d, 0, false]", separator, effect, line);
    separator = ", ";
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, const char* otherwise) {
    return std::string(argc > i ? argv[i] : otherwise);
  };
  const std::string how = argument(2, "sound"), mode = argument(3, "global");
  Work work;
  fill(work.in, 32);
  // Each kernel is loaded, and each stream used, before.
  launch_mix(work.a, work.b, work.stream);
  CHECK(cudaDeviceSynchronize());
  Captures captures(work, how,
                    mode == "global"   ? cudaStreamCaptureModeGlobal
                    : mode == "thread" ? cudaStreamCaptureModeThreadLocal
                                       : cudaStreamCaptureModeRelaxed,
                    argument(4, "same") == "other");
  for (int i = 0; i < (how == "sound" ? 2000 : 3); ++i) captures.attempt();
  CHECK(cudaDeviceSynchronize());
  captures.print();
  Checksum checksum;
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(work.a, work.in, bytes, cudaMemcpyHostToDevice, work.stream));
    launch_mix(work.a, work.b, work.stream);
    launch_mix(work.b, work.b, work.stream);
    CHECK(cudaMemcpyAsync(work.out, work.b, bytes, cudaMemcpyDeviceToHost, work.stream));
    CHECK(cudaStreamSynchronize(work.stream));
    checksum.add(work.out, 16);
  }
  checksum.print();
}
