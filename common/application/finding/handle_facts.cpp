#include "common/application/finding/handle_facts.hpp"

namespace trilane {

void HandleFacts::learn_stream(CallKind kind, std::uint64_t handle) {
  if (!names_stream(kind) || std::exchange(last_stream_, handle) == handle) return;
  Known<RecordedStream>& stream = streams_[handle];
  if (!stream.lives) stream = {surroundings_.stream(handle), true};
}

void HandleFacts::learn(const ObservedCall& call) {
  learn_stream(call.kind, call.stream);
  if (call.kind == CallKind::kernel) learn_kernel(call.launch.function);
  if (call.graph && call.graph->number != last_graph_) {
    last_graph_ = call.graph->number;
    for (const auto& node : call.graph->nodes) {
      if (node->call.kind == CallKind::kernel) learn_kernel(node->call.launch.function);
    }
  }
}

void HandleFacts::learn_kernel(std::uint64_t function) {
  if (std::exchange(last_kernel_, function) == function) return;
  Known<KernelFacts>& kernel = kernels_[function];
  if (!kernel.lives) kernel = {surroundings_.kernel(function), true};
}

void HandleFacts::stream_destroyed(std::uint64_t handle) {
  last_stream_ = none;
  if (const auto known = streams_.find(handle); known != streams_.end())
    known->second.lives = false;
}

void HandleFacts::kernels_unloaded() {
  last_kernel_ = none;
  last_graph_ = 0;
  for (auto& [function, known] : kernels_) known.lives = false;
}

void HandleFacts::context_reset() {
  kernels_unloaded();
  last_stream_ = none;
  for (auto& [handle, known] : streams_) known.lives = false;
}

std::vector<std::uint64_t> HandleFacts::live_streams() const {
  std::vector<std::uint64_t> live;
  for (const auto& [handle, known] : streams_) {
    if (known.lives) live.push_back(handle);
  }
  return live;
}

std::string HandleFacts::in_words(const ObservedCall& call) const {
  std::string words = driver_name(call.function);
  if (call.kind == CallKind::kernel) {
    const auto& [x, y, z] = call.launch.grid;
    const auto& [threads_x, threads_y, threads_z] = call.launch.block;
    words +=
        fmt::format(" of {:.60}, {} x {} x {} blocks of {} x {} x {} threads",
                    kernel(call.launch.function).name, x, y, z, threads_x, threads_y, threads_z);
  } else if (call.graph) {
    words += fmt::format(" of a graph of {} operations", call.graph->nodes.size());
  } else if (call.bytes > 0) {
    words += fmt::format(" of {} bytes", call.bytes);
  }
  if (names_stream(call.kind)) words += fmt::format(" on stream {:#x}", call.stream);
  return words;
}

}  // namespace trilane
