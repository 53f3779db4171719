// A fake application: its calls to the driver, and the driver's answers.
#pragma once

#include "common/application/finding/application_recorder.hpp"
#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// The places of its memory.
inline constexpr std::uint64_t device_in = 0x5000'0000, device_out = 0x5100'0000;
inline constexpr std::uint64_t pinned_in = 0x6000'0000, pinned_out = 0x6100'0000;
inline constexpr std::uint64_t mebibyte = 1 << 20;

/// Numbers of functions, as a listener has them.
enum class Driver : std::uint32_t {
  launch = 1,
  copy_in,
  copy_out,
  memset,
  record,
  wait,
  synchronize_stream,
  synchronize_context,
  allocate,
  free,
  query,
  managed,
  launch_graph,
  change_graph,
};

/// Kernels have two pointers, a number of four bytes and a structure of a number and a pointer.
struct FakeSurroundings : Surroundings {
  KernelFacts kernel(std::uint64_t function) override {
    ++asked_kernels;
    std::vector<ParameterPlace> places{{0, 8}, {8, 8}, {16, 4}, {24, 16}};
    places.resize(parameters);
    return {kernel_name + std::to_string(function), places, 32, 1024, function == 10, false};
  }
  RecordedStream stream(std::uint64_t handle) override {
    ++asked_streams;
    return {handle == 0 ? StreamKind::legacy : StreamKind::non_blocking, priority};
  }
  MemoryFacts memory(std::uint64_t address) override {
    ++asked_memory;
    if (address >> 44 == 0x7) return {MemoryKind::pageable, 0, 0};
    return {};
  }
  std::string driver_name(std::uint32_t function) override {
    return "function " + std::to_string(function);
  }
  std::string runtime_name(std::uint32_t function) override {
    return "runtime " + std::to_string(function);
  }
  int asked_kernels = 0, asked_memory = 0, asked_streams = 0;
  int priority = 0;  ///< of streams
  std::string kernel_name = "kernel ";
  std::size_t parameters = 4;
};

/// The bytes of a kernel's arguments.
struct FakeArguments {
  std::uint64_t out = 0, in = 0;
  std::uint32_t number = 0, padding = 0;
  std::uint64_t count = 0, table = 0;
};

/// Makes calls, each of which begins 1 us after the previous one and takes 2 us.
class FakeApplication {
 public:
  explicit FakeApplication(RecorderSettings settings = {}) : recorder(surroundings, settings) {}

  void allocate(std::uint64_t address, std::uint64_t bytes, bool ordered = false) {
    call({.kind = ordered ? CallKind::allocate_async : CallKind::allocate,
          .function = number(Driver::allocate),
          .destination = address,
          .bytes = bytes});
  }
  void pin(std::uint64_t address, std::uint64_t bytes) {
    call({.kind = CallKind::allocate_host,
          .function = number(Driver::allocate),
          .destination = address,
          .bytes = bytes});
  }
  void free(std::uint64_t address, bool ordered = false) {
    call({.kind = ordered ? CallKind::free_async : CallKind::free,
          .function = number(Driver::free),
          .destination = address});
  }
  void copy(Driver function, std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
            std::uint64_t stream = 1) {
    call({.kind = CallKind::copy,
          .function = number(function),
          .stream = stream,
          .destination = to,
          .source = from,
          .bytes = bytes});
  }
  void memset(std::uint64_t to, std::uint64_t bytes, std::uint64_t stream = 1) {
    call({.kind = CallKind::memset,
          .function = number(Driver::memset),
          .stream = stream,
          .destination = to,
          .bytes = bytes,
          .value = 7,
          .value_bytes = 1});
  }
  void launch(std::uint64_t kernel, const FakeArguments& arguments, std::uint64_t stream = 1,
              const LaunchAttributes* attributes = nullptr) {
    std::byte bytes[sizeof arguments];
    std::memcpy(bytes, &arguments, sizeof arguments);
    ObservedCall made{
        .kind = CallKind::kernel, .function = number(Driver::launch), .stream = stream};
    made.launch.function = kernel;
    made.launch.attributes = attributes;
    made.launch.grid[0] = 4;
    made.launch.block[0] = 256;
    made.launch.arguments = bytes;
    call(made);
  }
  void launch_graph(std::uint64_t executable, std::shared_ptr<const ObservedGraph> graph,
                    std::uint64_t stream = 1) {
    call({.kind = CallKind::graph_launch,
          .function = number(Driver::launch_graph),
          .stream = stream,
          .executable = executable,
          .graph = std::move(graph)});
  }
  void event(CallKind kind, std::uint64_t event, std::uint64_t stream = 1) {
    const Driver function = kind == CallKind::record_event ? Driver::record : Driver::wait;
    call({.kind = kind, .function = number(function), .stream = stream, .event = event});
  }
  void synchronize(std::uint64_t stream = 1) {
    call({.kind = CallKind::synchronize_stream,
          .function = number(Driver::synchronize_stream),
          .stream = stream});
  }
  void query() { call({.kind = CallKind::query, .function = number(Driver::query), .stream = 1}); }
  void refused(const char* reason) {
    call({.kind = CallKind::other, .function = number(Driver::managed), .refusal = reason});
  }
  ListeningStage call(ObservedCall made) {
    now_us += gap_us;
    made.begin_us = now_us;
    now_us += call_us;
    made.end_us = now_us;
    made.before = before;
    made.inside = inside;
    made.runtime = runtime;
    made.thread = thread;
    made.correlation = ++calls;
    if (!stacks.empty() && recorder.wants_stacks()) made.stack = &stacks[asked++ % stacks.size()];
    const bool unwatched = stage == ListeningStage::watch && watches_only &&
                           made.function != recorder.ending_function();
    if (unwatched) return stage;
    // As a listener does; some calls are always observed.
    if (recorder.glances() && !allocates(made.kind) && !frees(made.kind)) {
      recorder.glance({.kind = made.kind,
                       .function = made.function,
                       .kernel = made.launch.function,
                       .stream = made.stream,
                       .thread = made.thread,
                       .waits = is_host_wait(made)});
    } else {
      stage = recorder.observe(made);
    }
    return stage;
  }

  void trace() { stage = recorder.trace_devices(now_us); }

  static std::uint32_t number(Driver function) { return static_cast<std::uint32_t>(function); }

  FakeSurroundings surroundings;
  ApplicationRecorder recorder;
  ListeningStage stage = ListeningStage::search;
  double now_us = 0, gap_us = 1, call_us = 2;
  TimeBefore before;                      ///< of every call
  std::uint32_t inside = 0, runtime = 0;  ///< of every call
  std::uint32_t calls = 0;
  std::uint64_t thread = 1;
  std::vector<ObservedStack> stacks;  ///< of calls, in turn, when the recorder asks for them
  std::size_t asked = 0;              ///< how many times it has asked
  bool watches_only = true;           ///< as in a listener that only watches the ends
};

inline void set_up(FakeApplication& app) {
  app.allocate(device_in, mebibyte);
  app.allocate(device_out, mebibyte);
  app.pin(pinned_in, mebibyte);
  app.pin(pinned_out, mebibyte);
  app.copy(Driver::copy_in, device_in, pinned_in, 4096);
  app.synchronize();
}

/// Makes six calls: copy in, memset, two kernels, copy out, wait.
inline void iterate(FakeApplication& app, std::uint32_t turn = 0) {
  app.copy(Driver::copy_in, device_in, pinned_in, 8192);
  app.memset(device_out + 256, 4096);
  app.launch(10, {device_out, device_in + 64, turn, 0, 3, device_in});
  app.launch(11, {device_out, device_out, 5, 0, 3, 0});
  app.copy(Driver::copy_out, pinned_out, device_out, 4096);
  app.synchronize();
}

/// An application that has set up and made some iterations.
struct ReadyApplication : FakeApplication {
  explicit ReadyApplication(int iterations = 0, RecorderSettings settings = {})
      : FakeApplication(std::move(settings)) {
    set_up(*this);
    for (int i = 0; i < iterations; ++i) iterate(*this);
  }
};

/// An application whose iteration is the range "step".
struct RangedApplication : FakeApplication {
  RangedApplication() : FakeApplication({.range = "step"}) {}
  /// Sets up and makes some steps of three launches.
  explicit RangedApplication(int steps) : RangedApplication() {
    set_up(*this);
    for (int i = 0; i < steps; ++i) step(3);
  }
  void begin(const char* name) { stage = recorder.range_begins(name, now_us); }
  void end() { stage = recorder.range_ends(now_us); }
  void step(int launches, std::uint64_t kernel = 10) {
    begin("step");
    begin("inner");
    for (int i = 0; i < launches; ++i) launch(kernel, {device_out, device_in, 0, 0, 0, 0});
    end();
    end();
  }
};

/// A graph under construction, with its own number.
class FakeGraph {
 public:
  FakeGraph() : graph_(std::make_shared<ObservedGraph>()) {
    static std::uint64_t graphs = 0;
    graph_->number = ++graphs;
  }
  FakeGraph& copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes,
                  std::vector<std::uint32_t> after = {}) {
    ObservedCall& call = add(CallKind::copy, std::move(after))->call;
    call.destination = to;
    call.source = from;
    call.bytes = bytes;
    return *this;
  }
  FakeGraph& kernel(std::uint64_t function, const FakeArguments& arguments,
                    std::vector<std::uint32_t> after = {}) {
    const auto node = add(CallKind::kernel, std::move(after));
    const auto* const bytes = reinterpret_cast<const std::byte*>(&arguments);
    node->arguments.assign(bytes, bytes + sizeof arguments);
    node->call.launch.function = function;
    node->call.launch.arguments = node->arguments;
    return *this;
  }
  FakeGraph& allocate(std::uint64_t address, std::uint64_t bytes,
                      std::vector<std::uint32_t> after = {}) {
    ObservedCall& call = add(CallKind::allocate_async, std::move(after))->call;
    call.destination = address;
    call.bytes = bytes;
    return *this;
  }
  FakeGraph& free(std::uint64_t address, std::vector<std::uint32_t> after) {
    add(CallKind::free_async, std::move(after))->call.destination = address;
    return *this;
  }
  std::shared_ptr<const ObservedGraph> made() const { return graph_; }

 private:
  std::shared_ptr<ObservedNode> add(CallKind kind, std::vector<std::uint32_t> after) {
    const auto node = std::make_shared<ObservedNode>();
    node->call.kind = kind;
    node->after = std::move(after);
    graph_->nodes.push_back(node);
    return node;
  }

  std::shared_ptr<ObservedGraph> graph_;
};

}  // namespace trilane
