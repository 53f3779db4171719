// The process of the runtime functions: its machine and its threads.
#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// The text of the built-in profile; generated.
extern const char built_in_profile_json[];

namespace {

template <typename Object>
void add(std::vector<std::string>& leaks, const char* what,
         const std::vector<std::unique_ptr<Object>>& objects) {
  for (const auto& object : objects) leaks.push_back(fmt::format("{} {}", what, object->number));
}

struct Process {
  std::unique_ptr<Machine> machine =
      std::make_unique<Machine>(Settings{.profile = built_in_profile()});

  ~Process() {
    // After a sticky error nothing can be released.
    if (machine->sticky != cudaSuccess) return;
    for (const std::string& leak : machine->leaks()) {
      fmt::print(stderr, "trilane: simulated device: leaked: {}\n", leak);
    }
  }
};

Process& process() {
  static Process process;
  return process;
}

}  // namespace

std::vector<std::string> Machine::leaks() const {
  std::vector<std::string> leaks;
  add(leaks, "stream", streams);
  add(leaks, "event", events);
  add(leaks, "graph", graphs);
  add(leaks, "executable graph", executables);
  const auto add_memory = [&leaks](const CUmemPoolHandle_st& pool) {
    for (const auto& [begin, range] : pool.live) {
      leaks.push_back(fmt::format("{} bytes of pool {}", range.size(), pool.number));
    }
  };
  for (const Gpu& device : gpus) add_memory(device.default_pool);
  for (const auto& pool : pools) {
    if (!pool->destroyed) leaks.push_back(fmt::format("pool {}", pool->number));
    add_memory(*pool);
  }
  for (const Gpu& device : gpus) {
    for (const auto& [graph, arena] : device.graph_memory.arenas) {
      for (const auto& [address, slot] : arena.slots) {
        if (!slot.live) continue;
        leaks.push_back(fmt::format("{} bytes of graph {}", slot.range.size(), graph));
      }
    }
  }
  for (const auto& [begin, block] : memory.blocks()) {
    if (is_stream_ordered(block.place)) continue;  // reported above
    leaks.push_back(fmt::format("{} bytes of {} memory", block.range.size(), name_of(block.place)));
  }
  return leaks;
}

std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t number = ++threads;
  return number;
}

Machine& machine() { return *process().machine; }

void restart(Settings settings) {
  process().machine = std::make_unique<Machine>(std::move(settings));
}

const Profile& built_in_profile() {
  static const Profile profile = read_profile(built_in_profile_json, "the built-in profile");
  return profile;
}

}  // namespace trilane::simulator
