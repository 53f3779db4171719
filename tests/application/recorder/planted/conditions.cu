// Iterations in pairs: advice helps the first of each, and would change what the second computes
// unless its condition is heeded. The second argument names the case; a third, "changed", follows
// the advice, in the second of each pair without its condition:
// - "pageable": a copy of pageable memory; with "rewritten" the host writes it again at once;
// - "synchronous": a copy that the host waits for; with "crossing" another stream needs that wait;
// - "each": a wait in each iteration; for the other see "needed" of app_advised;
// - "small": a word that the host reads; with "decides" the next kernel depends on it;
// - "allocation": memory of one iteration; with "kept" the next one reads it, and with "freed" only
//   the free makes the host wait for the result;
// - "done": waits for an event that is done; with "again" it is recorded again before;
// - "function": the host reads the result in a function; with "feeds" a copy takes what it writes;
// - "empty": copies of no bytes; with "sometimes" other iterations copy some;
// - "buffer": a copy for the only kernel; with "state" its buffer keeps data from one iteration to
//   the next, which a second buffer lacks.
#include <cuda.h>

#include <cstring>
#include <utility>

#include "planted_app.hpp"

namespace {

struct Loop {
  bool changed = false, last = false;
  std::uint32_t step = 0;
  cudaStream_t stream = new_stream(), second = new_stream();
  cudaEvent_t events[2] = {new_event(), new_event()};
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  std::uint32_t seen = 7;  // what the host has read in the loop

  void look(const std::uint32_t* result) { seen = (seen ^ *result) * 2654435761u; }
};

void copy_in(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
}
void copy_out(std::uint32_t* to, const std::uint32_t* from, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
}

void pageable(Loop& l, bool rewritten) {
  static std::uint32_t* const from = l.changed ? l.in : new std::uint32_t[words];
  if (!rewritten || l.step == 0) fill(from, l.step);
  copy_in(l.a, from, l.stream);
  if (rewritten) fill(from, l.step + 1);
  launch_mix(l.a, l.b, l.stream);
  copy_out(l.out, l.b, l.stream);
  CHECK(cudaStreamSynchronize(l.stream));
  l.look(l.out);
}

void synchronous(Loop& l, bool crossing) {
  const cudaStream_t work = crossing ? l.second : l.stream;
  l.in[words - 1] = l.step;
  if (l.changed)
    copy_in(l.a, l.in, l.stream);
  else
    CHECK(cudaMemcpy(l.a, l.in, bytes, cudaMemcpyHostToDevice));
  launch_mix(l.a, l.b, work);
  copy_out(l.out, l.b, work);
  CHECK(cudaStreamSynchronize(work));
  l.look(l.out + words - 1);
}

void each(Loop& l) {
  launch_mix(l.a, l.b, l.stream);
  launch_mix(l.b, l.a, l.stream);
  if (!l.changed) CHECK(cudaStreamSynchronize(l.stream));
}

void small(Loop& l, bool decides) {
  const std::uint32_t now = l.changed ? l.step % 2 : 0, before = 1 - now;
  launch_mix(l.a, l.a, l.stream, decides ? l.seen : 7);
  CHECK(cudaMemcpyAsync(l.out + now, l.a, 4, cudaMemcpyDeviceToHost, l.stream));
  if (l.changed) {
    CHECK(cudaEventRecord(l.events[now], l.stream));
    CHECK(cudaEventSynchronize(l.events[before]));
    if (l.step > 0) l.look(l.out + before);
  }
  if (l.changed && !l.last) return;
  CHECK(cudaStreamSynchronize(l.stream));
  l.look(l.out + now);
}

void allocation(Loop& l, bool freed) {
  static std::uint32_t* const once = on_device();
  std::uint32_t* const scratch = l.changed ? once : on_device();
  launch_mix(l.a, scratch, l.stream);
  launch_mix(scratch, l.a, l.stream);
  copy_out(l.out, l.a, l.stream);
  if (!freed) CHECK(cudaStreamSynchronize(l.stream));
  if (!l.changed) CHECK(cudaFree(scratch));
  l.look(l.out + words - 1);
}

/// Makes each half of a buffer from the other half of the one before.
void kept(Loop& l) {
  constexpr int half = words / 2;
  static std::uint32_t* last = on_device();
  if (l.step == 0) launch_mix(l.a, last, l.stream);
  std::uint32_t* const next = l.changed ? last : on_device();
  launch_mix(last + half, next, l.stream, 7, half);
  launch_mix(last, next + half, l.stream, 7, half);
  copy_out(l.out, next, l.stream);
  CHECK(cudaStreamSynchronize(l.stream));
  if (!l.changed) CHECK(cudaFree(std::exchange(last, next)));
  l.look(l.out + words - 1);
}

void done(Loop& l, bool again) {
  launch_mix(l.a, l.b, l.second);
  CHECK(cudaEventRecord(l.events[0], l.second));
  CHECK(cudaEventSynchronize(l.events[0]));
  if (again) {
    launch_mix(l.b, l.b, l.second);
    CHECK(cudaEventRecord(l.events[0], l.second));
  }
  for (int i = 0; i < (again ? 1 : 8) && !l.changed; ++i) {
    CHECK(cudaStreamWaitEvent(l.stream, l.events[0], 0));
  }
  launch_mix(l.b, l.a, l.stream);
  copy_out(l.out, l.a, l.stream);
  CHECK(cudaStreamSynchronize(l.stream));
  l.look(l.out);
}

void take_and_count(void* loop) {
  Loop& l = *static_cast<Loop*>(loop);
  l.look(l.out);
  ++l.out[0];
}

void function(Loop& l, bool feeds) {
  launch_mix(l.a, l.b, l.stream);
  copy_out(l.out, l.b, l.stream);
  if (l.changed)
    CHECK(cudaEventRecord(l.events[0], l.stream));
  else
    CHECK(cudaLaunchHostFunc(l.stream, take_and_count, &l));
  if (feeds)
    copy_in(l.a, l.out, l.stream);
  else
    launch_mix(l.b, l.a, l.stream);
  if (l.changed) {
    CHECK(cudaEventSynchronize(l.events[0]));
    take_and_count(&l);
  }
  CHECK(cudaStreamSynchronize(l.stream));
}

/// Calls the driver, as the runtime may leave out copies of no bytes.
void copy_by_driver(const Loop& l, std::size_t size) {
  static void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  if (function == nullptr) {
    CHECK(cudaGetDriverEntryPointByVersion("cuMemcpyHtoDAsync", &function, CUDART_VERSION,
                                           cudaEnableDefault, &found));
  }
  const auto copy = reinterpret_cast<decltype(&cuMemcpyHtoDAsync)>(function);
  if (copy(reinterpret_cast<CUdeviceptr>(l.b), l.in, size, l.stream) == CUDA_SUCCESS) return;
  std::fprintf(stderr, "cuMemcpyHtoDAsync failed\n");
  std::exit(9);
}

void empty(Loop& l, bool sometimes) {
  if (sometimes) copy_by_driver(l, l.step % 5 == 4 ? 0 : 256 + 8 * l.step);
  for (int i = 0; i < 8 && !sometimes && !l.changed; ++i) copy_by_driver(l, 0);
  launch_mix(l.b, l.a, l.stream);
  copy_out(l.out, l.a, l.stream);
  CHECK(cudaStreamSynchronize(l.stream));
  l.look(l.out);
}

void buffer(Loop& l, bool state) {
  static std::uint32_t* const other = on_device();
  static cudaEvent_t copied = new_event();
  const cudaStream_t copies = l.changed ? l.second : l.stream;
  std::uint32_t* const to = l.changed && l.step % 2 == 1 ? other : l.a;
  if (l.changed) CHECK(cudaStreamWaitEvent(copies, l.events[l.step % 2], 0));
  CHECK(cudaMemcpyAsync(to, l.in, state ? bytes / 4 * 3 : bytes, cudaMemcpyHostToDevice, copies));
  if (l.changed) {
    CHECK(cudaEventRecord(copied, copies));
    CHECK(cudaStreamWaitEvent(l.stream, copied, 0));
  }
  launch_mix(to, state ? to : l.b, l.stream);
  if (l.changed)
    CHECK(cudaEventRecord(l.events[l.step % 2], l.stream));
  else
    CHECK(cudaStreamSynchronize(l.stream));
}

struct Mode {
  const char* name;
  void (*iterate)(Loop&);
};
constexpr Mode modes[] = {
    {"pageable", [](Loop& l) { pageable(l, false); }},
    {"rewritten", [](Loop& l) { pageable(l, true); }},
    {"synchronous", [](Loop& l) { synchronous(l, false); }},
    {"crossing", [](Loop& l) { synchronous(l, true); }},
    {"each", each},
    {"small", [](Loop& l) { small(l, false); }},
    {"decides", [](Loop& l) { small(l, true); }},
    {"allocation", [](Loop& l) { allocation(l, false); }},
    {"freed", [](Loop& l) { allocation(l, true); }},
    {"kept", kept},
    {"done", [](Loop& l) { done(l, false); }},
    {"again", [](Loop& l) { done(l, true); }},
    {"function", [](Loop& l) { function(l, false); }},
    {"feeds", [](Loop& l) { function(l, true); }},
    {"empty", [](Loop& l) { empty(l, false); }},
    {"sometimes", [](Loop& l) { empty(l, true); }},
    {"buffer", [](Loop& l) { buffer(l, false); }},
    {"state", [](Loop& l) { buffer(l, true); }},
};

}  // namespace

int main(int argc, char** argv) {
  const Mode* mode = nullptr;
  for (const Mode& one : modes) {
    if (argc > 2 && std::strcmp(argv[2], one.name) == 0) mode = &one;
  }
  if (mode == nullptr) return 2;
  const auto steps = static_cast<std::uint32_t>(iterations(argc, argv));
  Loop l;
  l.changed = argc > 3 && std::strcmp(argv[3], "changed") == 0;
  fill(l.in, 11);
  CHECK(cudaMemcpy(l.a, l.in, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(l.b, l.in, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  for (; l.step < steps; ++l.step) {
    l.last = l.step + 1 == steps;
    mode->iterate(l);
  }
  CHECK(cudaDeviceSynchronize());
  Checksum checksum;
  checksum.add(&l.seen, 1);
  for (const std::uint32_t* data : {l.a, l.b}) {
    CHECK(cudaMemcpy(l.out, data, bytes, cudaMemcpyDeviceToHost));
    checksum.add(l.out);
  }
  checksum.print();
}
