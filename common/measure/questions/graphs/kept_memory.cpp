#include "common/measure/ask/parts/experiment.hpp"

namespace trilane::kept_memory {

constexpr std::uint64_t bytes = 1 << 20;
constexpr const char *used = "in use after a launch", *reserved = "reserved after a launch",
                     *destroyed = "reserved after the graph is destroyed",
                     *trimmed = "reserved after cudaDeviceGraphMemTrim";

void use_memory(cudaStream_t stream) {
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, bytes, stream));
  check(cudaMemsetAsync(memory, 0, bytes, stream));
  check(cudaFreeAsync(memory, stream));
}

class GraphMemory : public StreamExperiment {
 public:
  GraphMemory() { check(cudaGetDevice(&device_)); }

  std::vector<Condition> conditions() override {
    return {{used,
             [this] { return held_bytes(cudaGraphMemAttrUsedMemCurrent, Then::nothing); },
             {},
             Quantity::bytes},
            condition(reserved, Then::nothing),
            condition(destroyed, Then::destroy),
            condition(trimmed, Then::trim)};
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    const auto add = [&](const char* when, const char* condition) {
      const double most = r.at(condition, 1);
      conclusion.add(when, most > 0,
                     fmt::format("{} are {}", in_words(Quantity::bytes, most), condition));
    };
    add("a launched graph", reserved);
    add("a destroyed graph", destroyed);
    add("a trimmed device", trimmed);
    return conclusion;
  }

 private:
  enum class Then { nothing, destroy, trim };

  Condition condition(const char* name, Then then) {
    const auto held = [this](Then what) {
      return [this, what] { return held_bytes(cudaGraphMemAttrReservedMemCurrent, what); };
    };
    return {name, held(then), {held(Then::nothing), held(Then::trim)}, Quantity::bytes};
  }

  /// Returns the memory that a graph launched once holds, while no other graph holds any.
  double held_bytes(cudaGraphMemAttributeType attribute, Then then) const {
    check(cudaDeviceGraphMemTrim(device_));
    std::optional<Recording> graph(use_memory);
    graph->launch(stream());
    synchronise();
    if (then == Then::destroy) graph.reset();
    if (then == Then::trim) check(cudaDeviceGraphMemTrim(device_));
    std::uint64_t held = 0;
    check(cudaDeviceGetGraphMemAttribute(device_, attribute, &held));
    return static_cast<double>(held);
  }

  int device_ = 0;
};

const Enrolled<GraphMemory> enrolled(
    {.name = "graph_memory",
     .subject = Subject::graphs,
     .text = "Does the device keep the memory of allocation nodes when a launch is over?",
     .claim = "The free node of a graph gives its memory back to the device.",
     .meaning = "Memory that graphs keep is not there for pools or cudaMalloc. Give it back with "
                "cudaDeviceGraphMemTrim if the graphs are not launched for a while; the next "
                "launch maps it again.",
     .documentation = "The programming guide says that graphs keep their memory for later "
                      "launches, and that a trim gives back what no running graph uses."});

}  // namespace trilane::kept_memory
