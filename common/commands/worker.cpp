#include "common/commands/worker.hpp"

#include <unistd.h>

#include "common/base/text/words.hpp"
#include "common/measure/context/host.hpp"
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

constexpr useconds_t pause_us = 1'000;

void wait_for(Process& child) {
  constexpr int most_pauses = 5'000;
  for (int i = 0; i < most_pauses && !child.ended(); ++i) usleep(pause_us);
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

VariantProcesses::VariantProcesses(const RunOptions& options, const BufferSizes& sizes,
                                   std::uint32_t gpus) {
  for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) gpus_.emplace_back(sizes);
  const std::vector<std::string> arguments = arguments_for(options);
  const std::size_t count = contenders(options.comparison).size();
  users_.assign(count, gpus);
  for (std::size_t contender = 0; contender < count; ++contender) {
    std::string place = fmt::format("{}={},{},{}", place_variable, contender, sizes.in, sizes.out);
    // Errors come over the socket, so its standard error is not needed.
    ProcessStart start = own_program(arguments, "/dev/null");
    std::vector<Channel> theirs;
    for (OfGpu& gpu : gpus_) {
      auto [ours, end] = make_channels();
      const int memory = gpu.host.memory.file();
      place += fmt::format(",{},{}", end.socket(), memory);
      start.files.insert(start.files.end(), {end.socket(), memory});
      gpu.workers.channels.push_back(std::move(ours));
      theirs.push_back(std::move(end));
    }
    start.variables.push_back(place);
    children_.push_back(std::make_unique<Process>(start));
  }
  for (OfGpu& gpu : gpus_) {
    wait_for_start(gpu.workers);  // so that none of them starts while another one is measured
    gpu.workers.how_it_ended = [this](std::size_t contender) {
      const std::lock_guard lock(mutex_);
      if (!children_[contender]) return std::string("was ended");
      Process& child = *children_[contender];
      while (!child.ended()) usleep(pause_us);  // it closed its socket, so it is ending
      return ending_of(child.ended()->shell_code());
    };
  }
}

VariantProcesses::~VariantProcesses() {
  for (OfGpu& gpu : gpus_) gpu.workers.channels.clear();  // which tells them to end
  for (const auto& child : children_) {
    if (child) wait_for(*child);
  }
}

ApartBench VariantProcesses::bench(std::size_t number, std::uint32_t rounds,
                                   std::function<void()> draw_input, std::uint32_t gpu) {
  return {gpus_[gpu].workers, static_cast<std::uint32_t>(number), rounds, std::move(draw_input)};
}

void VariantProcesses::end(std::size_t contender, std::uint32_t gpu) {
  gpus_[gpu].workers.channels[contender].close();
  const std::lock_guard lock(mutex_);
  if (--users_[contender] > 0) return;
  wait_for(*children_[contender]);
  children_[contender].reset();  // by force, if it has not ended
}

void VariantProcesses::leave(std::uint32_t gpu) {
  const std::vector<Channel>& channels = gpus_[gpu].workers.channels;
  for (std::size_t contender = 0; contender < channels.size(); ++contender) {
    if (channels[contender].socket() >= 0) end(contender, gpu);
  }
}

std::optional<WorkerPlace> worker_place() {
  const char* const text = std::getenv(place_variable);
  if (!text) return std::nullopt;
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : split(text, ',')) numbers.push_back(std::stoull(word));
  unsetenv(place_variable);  // not for its own children
  WorkerPlace place{.contender = numbers.at(0), .sizes = {numbers.at(1), numbers.at(2)}};
  for (std::size_t i = 3; i + 1 < numbers.size(); i += 2) {
    place.ends.emplace_back(numbers[i], numbers[i + 1]);
  }
  return place;
}

int serve_variant(const RunOptions& options, const WorkerPlace& place,
                  const std::function<Workload(std::uint32_t number)>& workload_of) {
  const VariantEntry entry = contenders(options.comparison).at(place.contender);
  initialise_driver();
  const auto serve_gpu = [&](int device_number, int socket, int memory) {
    Channel channel(socket);
    const KeptStreams streams;
    std::optional<SharedHost> host;
    std::shared_ptr<HostBuffers> buffers;  // pinned once for all workloads
    serve(channel, [&](std::uint32_t number, std::uint32_t rounds) -> std::unique_ptr<Bench> {
      Workload workload = workload_of(number);
      workload.rounds = rounds;
      if (!buffers) {
        const Device device = open_device(device_number, options.comparison.wait);
        warm_variants({entry}, device.memory_pools, options.comparison.gpus);
        if (!host) host.emplace(memory, place.sizes);
        buffers = std::make_shared<HostBuffers>(*host, host->sizes, workload.host_memory);
      }
      buffers->in_bytes = sizes_for(workload).in;
      return std::make_unique<WorkerBench>(workload, entry, options.comparison.seed, buffers);
    });
  };
  if (place.ends.size() == 1) {
    serve_gpu(options.device.number, place.ends[0].first, place.ends[0].second);
    return exit_ok;
  }
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < place.ends.size(); ++i) {
    threads.emplace_back([&, i] {
      const int device = options.processes.settings.front().devices.at(i);
      stay_near(pci_bus_id_of(device));
      share_process();
      serve_gpu(device, place.ends[i].first, place.ends[i].second);
    });
  }
  return exit_ok;
}

}  // namespace trilane
