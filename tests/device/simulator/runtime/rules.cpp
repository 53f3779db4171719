#include "tests/device/simulator/runtime/rules.hpp"

#include "common/device/simulator/kernels/host_kernel.hpp"
#include "tests/device/simulator/timing/choices.hpp"

namespace trilane::simulator::rules {

namespace {

std::string& letters() {
  static std::string written;
  return written;
}

// Some kernel of the profile; no rule depends on what it costs.
constexpr KernelSize small{.words = 1024, .outputs = 1024, .blocks = 4, .rounds = 1};

HostLaunch describe_mark(dim3, dim3, void** arguments) {
  const auto [letter] = parameters<char>(arguments);
  return {.accesses = {}, .size = small, .work = [=] { note(letter); }};
}

HostLaunch describe_use(dim3, dim3, void** arguments) {
  const auto [letter, memory, bytes, touch] =
      parameters<char, void*, std::uint64_t, Touch>(arguments);
  const auto work = [=] {
    if (touch != Touch::read) std::memset(memory, letter, bytes);
    note(letter);
  };
  return {.accesses = {{range_of(memory, bytes), touch}}, .size = small, .work = work};
}

HostLaunch describe_fail(dim3, dim3, void** arguments) {
  const auto [code] = parameters<cudaError_t>(arguments);
  return {.accesses = {}, .size = small, .work = [=] { refuse(code); }};
}

const HostKernel mark_kernel("mark", describe_mark);
const HostKernel use_kernel("use", describe_use);
const HostKernel fail_kernel("fail", describe_fail);

void launch(const HostKernel& kernel, std::vector<void*> arguments, cudaStream_t stream) {
  check(cudaLaunchKernel(&kernel, dim3(4), dim3(256), arguments.data(), 0, stream));
}

cudaKernelNodeParams node_of(const HostKernel& kernel, void** arguments) {
  return {const_cast<HostKernel*>(&kernel), dim3(4), dim3(256), 0, arguments, nullptr};
}

std::string together(const std::set<std::string>& outcomes) {
  std::string text;
  for (const std::string& outcome : outcomes) text += (text.empty() ? "" : " ") + outcome;
  return text;
}

}  // namespace

void mark(char letter, cudaStream_t stream) { launch(mark_kernel, {&letter}, stream); }

void use(char letter, void* memory, std::uint64_t bytes, Touch touch, cudaStream_t stream) {
  launch(use_kernel, {&letter, &memory, &bytes, &touch}, stream);
}

NodeKernel::NodeKernel(char letter)
    : letter_(letter), arguments_{&letter_}, parameters_(node_of(mark_kernel, arguments_.data())) {}

NodeKernel::NodeKernel(char letter, void* memory, std::uint64_t bytes, Touch touch)
    : letter_(letter),
      memory_(memory),
      bytes_(bytes),
      touch_(touch),
      arguments_{&letter_, &memory_, &bytes_, &touch_},
      parameters_(node_of(use_kernel, arguments_.data())) {}

void fail(cudaError_t code, cudaStream_t stream) { launch(fail_kernel, {&code}, stream); }

std::string trace() { return letters().empty() ? "-" : letters(); }

std::string trace_after(const Stream& stream) {
  check(cudaStreamSynchronize(stream.get()));
  return trace();
}

std::string trace_at_end() {
  check(cudaDeviceSynchronize());
  return trace();
}

std::string ran() {
  std::string sorted = trace();
  std::ranges::sort(sorted);
  return sorted;
}

void note(char letter) { letters() += letter; }

std::string found() {
  std::string names;
  for (const Report& report : machine().hazards.reports()) {
    names += (names.empty() ? "" : ", ") + name_of(report.hazard);
  }
  return names.empty() ? "none" : names;
}

void forget() { machine().hazards.clear(); }

std::uint64_t device_free() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  return free;
}

void free_async(void* memory, const Stream& stream) { check(cudaFreeAsync(memory, stream.get())); }

void order(cudaStream_t earlier, cudaStream_t later) {
  const Event event = make_ordering_event();
  check(cudaEventRecord(event.get(), earlier));
  check(cudaStreamWaitEvent(later, event.get(), 0));
}

Stream make_blocking_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  return Stream(stream);
}

GraphExec instantiate(cudaGraph_t graph, unsigned long long flags) {
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph, flags));
  return GraphExec(executable);
}

void launch(const GraphExec& executable, const Stream& stream) {
  check(cudaGraphLaunch(executable.get(), stream.get()));
}

GraphExec launched(const Graph& graph, const Stream& stream) {
  GraphExec executable = instantiate(graph.get());
  launch(executable, stream);
  return executable;
}

void update(const GraphExec& executable, const Graph& graph) {
  cudaGraphExecUpdateResultInfo info{};
  check(cudaGraphExecUpdate(executable.get(), graph.get(), &info));
}

Settings usual(std::uint64_t seed) {
  Settings settings;
  settings.seed = seed;
  settings.profile = built_in_profile();
  settings.profile.memory_bytes = 1024 * mebibyte;
  return settings;
}

void start(Settings settings) {
  letters().clear();
  restart(std::move(settings));
}

std::string outcomes(const std::function<std::string()>& body, const Settings& settings) {
  constexpr int most = 20'000;
  const auto choices = std::make_shared<Choices>();
  std::set<std::string> seen;
  int runs = 0;
  do {
    start(settings);
    machine().draw = std::make_unique<ChosenDraw>(choices);
    seen.insert(body());
    BOOST_REQUIRE_MESSAGE(++runs <= most, "more sequences of choices than a test should have");
  } while (choices->next());
  return together(seen);
}

}  // namespace trilane::simulator::rules
