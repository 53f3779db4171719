#include "common/commands/worker.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/processes/run_processes.hpp"

namespace trilane {
namespace {

constexpr const char* place_variable = "TRILANE_VARIANT_PROCESS";

std::vector<std::string> arguments_for(const RunOptions& options) {
  std::vector<std::string> arguments = options.processes.arguments;
  for (const std::string& argument : arguments_of(options.processes.settings.front())) {
    arguments.push_back(argument);
  }
  arguments.push_back(fmt::format("--seed={}", options.comparison.seed));
  arguments.push_back("--processes=1");
  return arguments;
}

/// The bench of one variant, whose input another process draws.
class WorkerBench final : public CudaBench {
 public:
  WorkerBench(const Workload& workload, const VariantEntry& entry, std::uint64_t seed,
              std::shared_ptr<HostBuffers> buffers)
      : CudaBench(workload, {entry}, seed, buffers), buffers_(std::move(buffers)) {}

  std::string check(std::size_t variant, std::uint32_t batch) override {
    buffers_->take_input();
    return CudaBench::check(variant, batch);
  }

 private:
  const std::shared_ptr<HostBuffers> buffers_;
};

}  // namespace

VariantProcesses::VariantProcesses(const RunOptions& options, const BufferSizes& sizes)
    : host_(sizes) {
  const std::vector<std::string> arguments = arguments_for(options);
  const std::size_t count = contenders(options.comparison).size();
  for (std::size_t contender = 0; contender < count; ++contender) {
    auto [ours, theirs] = make_channels();
    const int socket = theirs.socket(), memory = host_.memory.file();
    const std::string place = fmt::format("{}={},{},{},{},{}", place_variable, contender, socket,
                                          memory, sizes.in, sizes.out);
    // Errors come over the socket, so its standard error is not needed.
    ProcessStart start = own_program(arguments, "/dev/null");
    start.variables.push_back(place);
    start.files = {socket, memory};
    children_.push_back(std::make_unique<Process>(start));
    workers_.channels.push_back(std::move(ours));
  }
  wait_for_start(workers_);  // so that none of them starts while another one is measured
  workers_.how_it_ended = [this](std::size_t contender) {
    constexpr useconds_t pause_us = 1'000;
    if (!children_[contender]) return std::string("was ended");
    Process& child = *children_[contender];
    while (!child.ended()) usleep(pause_us);  // it closed its socket, so it is ending
    return ending_of(child.ended()->shell_code());
  };
}

VariantProcesses::~VariantProcesses() {
  workers_.channels.clear();  // which tells them to end
  for (const auto& child : children_) {
    if (child) wait_for(*child);
  }
}

ApartBench VariantProcesses::bench(std::size_t number, std::uint32_t rounds,
                                   std::function<void()> draw_input) {
  return {workers_, static_cast<std::uint32_t>(number), rounds, std::move(draw_input)};
}

void VariantProcesses::end(std::size_t contender) {
  workers_.channels[contender].close();
  wait_for(*children_[contender]);
  children_[contender].reset();  // by force, if it has not ended
}

void VariantProcesses::wait_for(Process& child) {
  constexpr useconds_t pause_us = 1'000;
  constexpr int most_pauses = 5'000;
  for (int i = 0; i < most_pauses && !child.ended(); ++i) usleep(pause_us);
}

std::optional<WorkerPlace> worker_place() {
  const char* const text = std::getenv(place_variable);
  WorkerPlace place;
  if (!text || std::sscanf(text, "%zu,%d,%d,%" SCNu64 ",%" SCNu64, &place.contender, &place.socket,
                           &place.memory, &place.sizes.in, &place.sizes.out) != 5) {
    return std::nullopt;
  }
  unsetenv(place_variable);  // not for its own children
  return place;
}

int serve_variant(const RunOptions& options, const WorkerPlace& place,
                  const std::function<Workload(std::uint32_t number)>& workload_of) {
  Channel channel(place.socket);
  const KeptStreams streams;
  const VariantEntry entry = contenders(options.comparison).at(place.contender);
  std::optional<SharedHost> host;
  std::shared_ptr<HostBuffers> buffers;  // pinned once for all workloads
  initialise_driver();
  serve(channel, [&](std::uint32_t number, std::uint32_t rounds) -> std::unique_ptr<Bench> {
    Workload workload = workload_of(number);
    workload.rounds = rounds;
    if (!buffers) {
      const Device device = open_device(options.device.number, options.comparison.wait);
      warm_variants({entry}, device.memory_pools, options.comparison.gpus);
      if (!host) host.emplace(place.memory, place.sizes);
      buffers = std::make_shared<HostBuffers>(*host, host->sizes, workload.host_memory);
    }
    buffers->in_bytes = sizes_for(workload).in;
    return std::make_unique<WorkerBench>(workload, entry, options.comparison.seed, buffers);
  });
  return exit_ok;
}

}  // namespace trilane
