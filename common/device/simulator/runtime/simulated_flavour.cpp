// The flavour of the simulated device: virtual time, a hazard check, and what its model omits.
#include <charconv>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/call.hpp"

namespace trilane {

using simulator::Locked;

namespace {

[[noreturn]] void refuse_fault(const std::string& text, const std::string& why) {
  throw UsageError(
      "--fault {}: {}; write it like 100=cudaErrorMemoryAllocation or 100=2, for the 100th call",
      in_quotes(text), why);
}

simulator::Fault parse_fault(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos) refuse_fault(text, "it has no =");
  const std::string number = text.substr(0, equals), code = text.substr(equals + 1);
  simulator::Fault fault;
  const char* const end = number.data() + number.size();
  const auto [stop, failure] = std::from_chars(number.data(), end, fault.call);
  if (failure != std::errc{} || stop != end || fault.call == 0) {
    refuse_fault(text, fmt::format("{} is not the number of a call, from 1", in_quotes(number)));
  }
  const auto known = simulator::parse_error(code);
  if (!known || *known == cudaSuccess) {
    refuse_fault(text, fmt::format("{} is not a CUDA error", in_quotes(code)));
  }
  fault.code = *known;
  return fault;
}

/// Returns the copy rate of each GPU from "8" or "8,3=95%".
std::vector<double> parse_gpus(const std::string& text) {
  constexpr std::uint64_t most = 64;
  std::vector<double> rates;
  for (const std::string& part : split(text, ',')) {
    if (rates.empty()) {
      rates.assign(parse_count("--gpus", part, 1, most), 1);
      continue;
    }
    const std::size_t equals = part.find('=');
    const std::string rate = equals == part.npos ? "" : part.substr(equals + 1);
    rates[parse_count("--gpus", part.substr(0, equals), 0, rates.size() - 1)] =
        parse_percent("--gpus", rate, 0.01, 1);
  }
  return rates;
}

/// Streams share hardware queues beyond this number (CUDA C++ Programming Guide,
/// CUDA_DEVICE_MAX_CONNECTIONS: 8 by default).
constexpr std::uint32_t hardware_queues = 8;

}  // namespace

double now_us() {
  const simulator::Hold hold(simulator::machine());  // in turn, because others move the clock
  return simulator::machine().timeline.now();
}

void spend_us(double us) {
  const simulator::Hold hold(simulator::machine());
  simulator::machine().timeline.spend(us);
}

std::string simulated_profile() {
  const Profile& profile = simulator::machine().settings.profile;
  return fmt::format("{} (profile of {})", profile.name, profile.calibrated.substr(0, 10));
}

void start_simulation(const SimulationSettings& given) {
  simulator::Settings settings;
  settings.profile =
      given.profile.empty() ? simulator::built_in_profile() : load_profile(given.profile);
  if (given.change) given.change(settings.profile);
  settings.seed = given.seed;
  if (!given.fault.empty()) settings.fault = parse_fault(given.fault);
  if (!given.gpus.empty()) settings.copy_rates = parse_gpus(given.gpus);
  simulator::restart(std::move(settings));
}

TimedOnly::TimedOnly() { ++Locked()->timed_only[simulator::part_of_host()]; }

TimedOnly::~TimedOnly() {
  const Locked machine;
  int& living = machine->timed_only[simulator::part_of_host()];
  living = std::max(0, living - 1);  // it may be another machine's
}

std::vector<std::string> take_hazards() {
  const Locked machine;
  const auto line = [](const simulator::Report& report) {
    return fmt::format("{}: {}", simulator::name_of(report.hazard), report.text);
  };
  return transformed(machine->hazards.take(simulator::part_of_host()), line);
}

const Profile* profile_in_use() { return &simulator::machine().settings.profile; }

std::string why_not_modelled(HostMemory memory, Wait wait) {
  switch (wait) {
    case Wait::spin: break;
    case Wait::yield:
    case Wait::block:
      return fmt::format(
          "--wait {}: the simulated device's host always spins while it waits; leave it out, or "
          "measure on a GPU",
          name_of(wait));
  }
  switch (memory) {
    case HostMemory::pinned:
    case HostMemory::pageable:
    case HostMemory::registered: break;
    case HostMemory::write_combined:
      return "--host-memory write-combined: the simulated device treats it as pinned memory; leave "
             "it out, or measure on a GPU";
  }
  return {};
}

std::vector<std::string> left_out(const Workload& workload) {
  std::vector<std::string> all;
  if (std::min(workload.lanes, workload.used_lanes()) > hardware_queues) {
    all.push_back(
        fmt::format("more than {} lanes share the hardware queues of a GPU.", hardware_queues));
  }
  if (std::getenv("CUDA_DEVICE_MAX_CONNECTIONS") != nullptr) {
    all.emplace_back("the number of hardware queues, which CUDA_DEVICE_MAX_CONNECTIONS sets.");
  }
  return all;
}

/// Returns true except for two models. Without a thread_share, calls of several host threads are
/// serialised. Kernels that may start early run in order, so their gain is left out.
bool is_modelled(const Model& model) {
  switch (model.chaining) {
    case Chaining::lanes_early: return false;
    case Chaining::one_stream:
    case Chaining::lanes:
    case Chaining::engines:
    case Chaining::recorded:
    case Chaining::recorded_one_wait:
    case Chaining::recorded_memory:
    case Chaining::data_edges: break;
  }
  switch (model.issuer) {
    case Issuer::host_threads: return profile_in_use()->stream.thread_share.has_value();
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::graph:
    case Issuer::graph_updated:
    case Issuer::graph_set:
    case Issuer::graph_loop: return true;
  }
  return true;
}

}  // namespace trilane
