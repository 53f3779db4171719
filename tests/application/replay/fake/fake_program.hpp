// A program for the fake driver: makes its calls, and has them recorded and taken as the injected
// library does.
#pragma once

#include <list>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/recorder/driver/copy_shape.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/application/replay/replayed_call.hpp"
#include "common/application/replay/replayed_iteration.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/application/replay/snapshot.hpp"
#include "common/base/text/exit_code.hpp"
#include "tests/application/replay/fake/fake_driver.hpp"
#include "tests/base/refusal.hpp"

namespace trilane::fake {

inline std::uint64_t number(const void* handle) { return reinterpret_cast<std::uint64_t>(handle); }

/// Returns the bytes of a copy's source, row after row.
inline std::vector<std::byte> rows_of(const ObservedCall& copy) {
  const std::size_t width = copy.bytes / copy.height;
  std::vector<std::byte> rows;
  for (std::size_t row = 0; row < copy.height; ++row) {
    const auto* const from = reinterpret_cast<const std::byte*>(copy.source) +
                             offset_of_row(row, copy, copy.source_pitch, copy.source_rows);
    rows.insert(rows.end(), from, from + width);
  }
  return rows;
}

inline std::vector<std::vector<std::byte>> sources_of(const ObservedCall& call) {
  std::vector<std::vector<std::byte>> sources;
  for (const ObservedCall& copy : copies_of(call)) sources.push_back(rows_of(copy));
  return sources;
}

/// An iteration with the memory's content at its beginning.
struct Taken {
  TakenIteration iteration;
  Snapshot before;
};

/// Answers the recorder's questions.
struct Facts : Surroundings {
  KernelFacts kernel(std::uint64_t function) override {
    KernelFacts facts;
    facts.name = "kernel";
    const auto* const kernel = reinterpret_cast<const Kernel*>(function);
    for (std::size_t i = 0; i < kernel->parameters; ++i) facts.parameters.push_back({8 * i, 8});
    return facts;
  }
  RecordedStream stream(std::uint64_t handle) override {
    const CUstream stream = reinterpret_cast<CUstream>(handle);
    if (stream == nullptr) return {StreamKind::legacy, 0};
    const Stream& made = *stream_of(stream);
    return {made.ordered_with_legacy ? StreamKind::blocking : StreamKind::non_blocking,
            made.priority};
  }
  MemoryFacts memory(std::uint64_t) override { return {MemoryKind::pageable, 0, 0}; }
  std::string driver_name(std::uint32_t function) override { return names.at(function); }
  std::string runtime_name(std::uint32_t) override { return {}; }

  std::uint32_t number_of(const std::string& name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) names.push_back(name);
    return static_cast<std::uint32_t>(std::ranges::find(names, name) - names.begin());
  }

  /// Returns them as the recorder states them, the same pointer for equal ones.
  const LaunchAttributes* attributes(const std::vector<CUlaunchAttribute>& given) {
    return &*launches.insert(in_recording(given)).first;
  }

  std::vector<std::string> names{"none"};
  std::set<LaunchAttributes> launches;
};

class Program {
 public:
  /// Begins with a new driver.
  Program() : recorder_((state() = {}, facts_), {.range = {}, .traced = 0}) {}
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { state() = {}; }

  // A program's set-up. `body` gets the kernel's parameters, words of eight bytes each.
  std::uint64_t device(std::size_t bytes) { return allocate(bytes); }
  std::uint64_t pinned(std::size_t bytes) {
    void* memory = nullptr;
    TRILANE_DRIVER(cuMemHostAlloc, &memory, bytes, 0);
    made({.kind = CallKind::allocate_host, .destination = number(memory), .bytes = bytes},
         "cuMemHostAlloc");
    return number(memory);
  }
  std::uint64_t pageable(std::size_t bytes) { return number(pageable_.emplace_back(bytes).data()); }
  CUstream stream(unsigned flags = CU_STREAM_NON_BLOCKING, int priority = 0) {
    return make_stream(flags, priority);
  }
  CUevent event() {
    CUevent event = nullptr;
    TRILANE_DRIVER(cuEventCreate, &event, CU_EVENT_DISABLE_TIMING);
    return event;
  }
  CUmemoryPool pool(std::uint64_t threshold) {
    CUmemoryPool pool = nullptr;
    const CUmemPoolProps properties{};
    TRILANE_DRIVER(cuMemPoolCreate, &pool, &properties);
    TRILANE_DRIVER(cuMemPoolSetAttribute, pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold);
    return pool;
  }
  Kernel& kernel(std::size_t parameters, std::function<void(const Kernel::Words&)> body) {
    return kernels_.emplace_back(parameters, std::move(body));
  }

  // The calls of an iteration. Stream null: the legacy default stream.
  void launch(Kernel& kernel, Kernel::Words words, CUstream stream,
              std::vector<CUlaunchAttribute> attributes = {}) {
    std::vector<void*> parameters;
    for (std::uint64_t& word : words) parameters.push_back(&word);
    CUlaunchConfig config{};
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    const auto function = reinterpret_cast<CUfunction>(kernel.handle());
    TRILANE_DRIVER(cuLaunchKernelEx, &config, function, parameters.data(), nullptr);
    ObservedCall call{.kind = CallKind::kernel, .stream = number(stream)};
    call.launch.function = number(&kernel);
    call.launch.arguments = std::as_bytes(std::span(words));
    if (!attributes.empty()) call.launch.attributes = facts_.attributes(attributes);
    attributes_ = std::move(attributes);
    made(call, "cuLaunchKernelEx");
  }
  void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes, CUstream stream) {
    const ObservedCall call{.kind = CallKind::copy,
                            .stream = number(stream),
                            .destination = to,
                            .source = from,
                            .bytes = bytes};
    sources_ = sources_of(call);
    TRILANE_DRIVER(cuMemcpyAsync, to, from, bytes, stream);
    made(call, "cuMemcpyAsync");
  }
  /// The second and later copies have other attributes than the first.
  void copy_batch(std::vector<ObservedBatch::Copy> copies, CUstream stream) {
    CUmemcpyAttributes attributes[2]{};
    attributes[0].srcAccessOrder = attributes[1].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    attributes[1].flags = CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE;
    const std::size_t different = std::min<std::size_t>(copies.size(), 2);
    auto batch = std::make_shared<ObservedBatch>();
    const auto bytes = std::as_bytes(std::span(attributes, different));
    batch->attributes.assign(bytes.begin(), bytes.end());
    for (std::size_t i = 0; i < different; ++i) batch->holds_from.push_back(i);
    ObservedCall call{.kind = CallKind::copy, .stream = number(stream)};
    call.destination = copies.front().destination;
    call.source = copies.front().source;
    std::vector<CUdeviceptr> to, from;
    std::vector<std::size_t> sizes;
    for (const ObservedBatch::Copy& copy : copies) {
      call.bytes += copy.bytes;
      to.push_back(copy.destination);
      from.push_back(copy.source);
      sizes.push_back(copy.bytes);
    }
    batch->copies = std::move(copies);
    std::vector<std::size_t> holds_from = batch->holds_from;
    call.batch = std::move(batch);
    sources_ = sources_of(call);
    TRILANE_DRIVER(cuMemcpyBatchAsync, to.data(), from.data(), sizes.data(), sizes.size(),
                   attributes, holds_from.data(), different, stream);
    made(call, "cuMemcpyBatchAsync");
  }
  void copy_and_wait(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
    const ObservedCall call{
        .kind = CallKind::copy, .destination = to, .source = from, .bytes = bytes, .waits = true};
    sources_ = sources_of(call);
    TRILANE_DRIVER(cuMemcpy, to, from, bytes);
    made(call, "cuMemcpy");
  }
  /// Copies rows of a plane; `to_pitch` and `from_pitch` are the distances of their beginnings.
  void copy_rows(std::uint64_t to, std::size_t to_pitch, std::uint64_t from, std::size_t from_pitch,
                 std::size_t width, std::size_t height, CUstream stream) {
    const ObservedCall call{.kind = CallKind::copy,
                            .stream = number(stream),
                            .destination = to,
                            .source = from,
                            .bytes = width * height,
                            .height = height,
                            .destination_pitch = to_pitch,
                            .source_pitch = from_pitch};
    sources_ = sources_of(call);
    CUDA_MEMCPY2D plane{};
    plane.srcDevice = from;
    plane.srcPitch = from_pitch;
    plane.dstDevice = to;
    plane.dstPitch = to_pitch;
    plane.WidthInBytes = width;
    plane.Height = height;
    TRILANE_DRIVER(cuMemcpy2DAsync, &plane, stream);
    made(call, "cuMemcpy2DAsync");
  }
  /// Copies `depth` slices of two packed rows each to slices that begin `to_rows` rows apart.
  void copy_slices(std::uint64_t to, std::size_t to_rows, std::uint64_t from, std::size_t width,
                   std::size_t depth, CUstream stream) {
    CUDA_MEMCPY3D block{};
    block.srcDevice = from;
    block.dstDevice = to;
    block.srcPitch = block.dstPitch = block.WidthInBytes = width;
    block.srcHeight = block.Height = 2;
    block.dstHeight = to_rows;
    block.Depth = depth;
    ObservedCall call{.kind = CallKind::copy, .stream = number(stream)};
    block.srcMemoryType = block.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    block_of(block, call);
    sources_ = sources_of(call);
    TRILANE_DRIVER(cuMemcpy3DAsync, &block, stream);
    made(call, "cuMemcpy3DAsync");
  }
  void memset(std::uint64_t to, std::uint32_t value, std::uint32_t value_bytes, std::size_t bytes,
              CUstream stream) {
    put(stream, set({to, 0, value, value_bytes, bytes / value_bytes, 1}));
    made({.kind = CallKind::memset,
          .stream = number(stream),
          .destination = to,
          .bytes = bytes,
          .value = value,
          .value_bytes = value_bytes},
         "cuMemsetAsync");
  }
  /// Does nothing when it runs.
  void host_function(CUstream stream) {
    made({.kind = CallKind::host_function, .stream = number(stream)}, "cuLaunchHostFunc");
  }
  void record(CUevent event, CUstream stream) {
    TRILANE_DRIVER(cuEventRecord, event, stream);
    made({.kind = CallKind::record_event, .stream = number(stream), .event = number(event)},
         "cuEventRecord");
  }
  void wait(CUstream stream, CUevent event) {
    TRILANE_DRIVER(cuStreamWaitEvent, stream, event, 0);
    made({.kind = CallKind::wait_event, .stream = number(stream), .event = number(event)},
         "cuStreamWaitEvent");
  }
  void synchronize(CUstream stream) {
    TRILANE_DRIVER(cuStreamSynchronize, stream);
    made({.kind = CallKind::synchronize_stream, .stream = number(stream)}, "cuStreamSynchronize");
  }
  void wait_for(CUevent event) {
    TRILANE_DRIVER(cuEventSynchronize, event);
    made({.kind = CallKind::synchronize_event, .event = number(event)}, "cuEventSynchronize");
  }
  void synchronize() {
    TRILANE_DRIVER(cuCtxSynchronize);
    made({.kind = CallKind::synchronize_context}, "cuCtxSynchronize");
  }
  std::uint64_t allocate(std::size_t bytes) {
    CUdeviceptr address = 0;
    TRILANE_DRIVER(cuMemAlloc, &address, bytes);
    made({.kind = CallKind::allocate, .destination = address, .bytes = bytes}, "cuMemAlloc");
    return address;
  }
  void free(std::uint64_t address) {
    TRILANE_DRIVER(cuMemFree, address);
    made({.kind = CallKind::free, .destination = address}, "cuMemFree");
  }
  /// Allocates in stream order. Pool null: the device's current one.
  std::uint64_t allocate(std::size_t bytes, CUmemoryPool pool, CUstream stream) {
    CUdeviceptr address = 0;
    if (pool == nullptr) {
      TRILANE_DRIVER(cuMemAllocAsync, &address, bytes, stream);
    } else {
      TRILANE_DRIVER(cuMemAllocFromPoolAsync, &address, bytes, pool, stream);
    }
    made({.kind = CallKind::allocate_async,
          .stream = number(stream),
          .destination = address,
          .pool = number(pool),
          .bytes = bytes},
         pool == nullptr ? "cuMemAllocAsync" : "cuMemAllocFromPoolAsync");
    return address;
  }
  void free(std::uint64_t address, CUstream stream) {
    TRILANE_DRIVER(cuMemFreeAsync, address, stream);
    made({.kind = CallKind::free_async, .stream = number(stream), .destination = address},
         "cuMemFreeAsync");
  }
  /// Launches an executable graph with that content, which the driver does not clone.
  void launch_as_it_is(CUgraphExec graph, std::shared_ptr<const ObservedGraph> content,
                       CUstream stream) {
    TRILANE_DRIVER(cuGraphLaunch, graph, stream);
    graph_ = std::make_shared<TakenGraph>();
    graph_->as_it_is = graph;
    graph_->nodes.resize(content->nodes.size());
    sources_.resize(content->nodes.size());
    made({.kind = CallKind::graph_launch,
          .stream = number(stream),
          .executable = number(graph),
          .graph = std::move(content)},
         "cuGraphLaunch");
  }

  /// Records `iteration`, which gets the number of the turn, until it is found, and takes the next
  /// one. Memory then holds its result.
  Taken take(const std::function<void(std::uint32_t)>& iteration) {
    constexpr std::uint32_t most_turns = 50;
    try {
      for (std::uint32_t turn = 0; turn < most_turns; ++turn) iteration(turn);
    } catch (const Over&) {
      TRILANE_DRIVER(cuCtxSynchronize);
      set_apart(taken_, *before_);
      return {std::move(taken_), std::move(*before_)};
    }
    throw std::logic_error("the recorder found no iteration");
  }

 private:
  struct Over {};  // the iteration is taken

  void made(ObservedCall call, const char* name) {
    call.function = facts_.number_of(name);
    call.begin_us = ++now_us_;
    call.end_us = ++now_us_;
    if (!before_) {
      if (recorder_.observe(call) != ListeningStage::watch) return;
      begin_taking();
      return;
    }
    taken_.captured.push_back({.attributes = std::exchange(attributes_, {}),
                               .graph = std::exchange(graph_, {}),
                               .sources = std::exchange(sources_, {})});
    auto& parameters = taken_.parameters.emplace_back();
    const auto given = call.launch.arguments;
    for (std::size_t at = 0; at < given.size(); at += 8) parameters.push_back(at);
    auto& own = taken_.observed.arguments.emplace_back(new std::byte[given.size()]);
    std::ranges::copy(given, own.get());
    call.launch.arguments = {own.get(), given.size()};
    taken_.observed.calls.push_back(call);
    if (taken_.observed.calls.size() < taken_.recording.calls.size()) return;
    recorder_.also_seen(taken_.observed);
    taken_.recording = recorder_.recording();
    throw Over();
  }
  void begin_taking() {
    TRILANE_DRIVER(cuCtxSynchronize);
    taken_.recording = recorder_.recording();
    std::vector<MemoryFacts> kept = recorder_.live_memory();
    std::erase_if(kept, [](const MemoryFacts& facts) {
      return facts.kind != MemoryKind::device && facts.kind != MemoryKind::pool;
    });
    before_.emplace(kept);
  }

  Facts facts_;
  ApplicationRecorder recorder_;
  TakenIteration taken_;
  std::optional<Snapshot> before_;               // from when an iteration is taken on
  std::vector<std::vector<std::byte>> sources_;  // of a copy that is being made
  std::vector<CUlaunchAttribute> attributes_;    // of a launch
  std::shared_ptr<TakenGraph> graph_;            // that is being launched
  double now_us_ = 0;
  std::list<Kernel> kernels_;
  std::list<std::vector<std::byte>> pageable_;
};

/// Returns the memory at an address as numbers.
inline std::uint64_t* numbers_at(std::uint64_t address) {
  return reinterpret_cast<std::uint64_t*>(address);
}

}  // namespace trilane::fake
