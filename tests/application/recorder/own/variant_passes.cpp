// One of Trilane's variants as an application to record: app_variant VARIANT PRESET PASSES
// [SECONDS]. Makes at least that many passes, and continues for that time. Each pass is an NVTX
// range "pass". Prints what the plan says of a pass, the median time of the second half of the
// passes, and a checksum; record_variants.py reads it.
#include <fmt/format.h>
#include <nvtx3/nvtx3.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "common/commands/ending.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/random.hpp"
#include "kernels/launch.hpp"

namespace trilane {
namespace {

constexpr std::size_t fewest_passes = 2;

struct Request {
  const VariantEntry& entry;
  const Workload& workload;
  std::size_t passes;
  double seconds;  ///< further passes are made until then
};

Request request(std::span<char* const> words) {
  if (words.size() != 4 && words.size() != 5) {
    throw UsageError("give VARIANT PRESET PASSES [SECONDS]");
  }
  const auto entry = std::ranges::find(registry(), words[1], &VariantEntry::name);
  if (entry == registry().end())
    throw UsageError(fmt::format("there is no variant '{}'", words[1]));
  const auto workload = std::ranges::find(presets(), words[2], &Workload::name);
  if (workload == presets().end())
    throw UsageError(fmt::format("there is no preset '{}'", words[2]));
  const int passes = std::atoi(words[3]);
  if (passes < static_cast<int>(fewest_passes))
    throw UsageError(fmt::format("'{}' passes: at least {} are needed", words[3], fewest_passes));
  const double seconds = words.size() > 4 ? std::atof(words[4]) : 0;
  return {*entry, *workload, static_cast<std::size_t>(passes), seconds};
}

/// Throws NotPossible, worded as in a comparison, if the device cannot run the variant.
void ensure_supported(const Request& request, const Device& device) {
  const ComparisonSettings settings{.variants = {request.entry.name}};
  const Comparison planned = planned_comparison(request.workload, settings, device);
  const Measurement& measurement = planned.measurements.front();
  if (measurement.status == Status::not_supported) throw NotPossible(measurement.message);
}

void print_plan(const Plan& plan, const Workload& workload) {
  const Operations operations = operations_of(plan.model, workload);
  const StageCounts stages = workload.stages();
  const std::uint64_t in = operations.copies * stages.copies_in / stages.copies();
  const bool copied = operations.copies > 0;
  fmt::print("plan: kernels {}, copies_in {}, copies_out {}, memsets {}, bytes_in {}, bytes_out {}",
             operations.kernels, in, operations.copies - in, operations.memsets,
             copied ? workload.bytes : 0, copied ? workload.result_total() : 0);
  for (const Count& count : plan.nodes) {
    std::string name = count.name;
    std::ranges::replace(name, ' ', '_');
    fmt::print(", {} {}", name, count.value);
  }
  fmt::print(", host_threads {}\n", plan.host_threads);
}

void fill(std::byte* data, std::uint64_t bytes) {
  Random random(1);
  for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(data + at, &word, sizeof word);
  }
}

/// FNV-1a, by words.
std::uint64_t checksum_of(const std::byte* data, std::uint64_t bytes) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, sizeof word);
    sum = (sum ^ word) * 0x100000001b3;
  }
  return sum;
}

/// Returns the time of each pass, in microseconds, from the end of the previous one, as a recorder
/// counts.
std::vector<double> run_passes(Variant& variant, cudaStream_t origin, const Request& request) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> whole(request.seconds);
  const Clock::time_point begin = Clock::now();
  Clock::time_point last = begin;
  std::vector<double> times;
  while (times.size() < request.passes || last - begin < whole) {
    const nvtx3::scoped_range range{"pass"};
    variant.submit(origin);
    check(cudaStreamSynchronize(origin));
    const Clock::time_point end = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(end - last).count());
    last = end;
  }
  return times;
}

void run(std::span<char* const> words) {
  const Request wanted = request(words);
  ensure_supported(wanted, open_device(0));
  check(load_kernels());
  const HostBuffers buffers(sizes_for(wanted.workload), wanted.workload.host_memory);
  const Job job(wanted.workload, buffers.in.get(), buffers.out.get());
  fill(buffers.in.get(), job.layout.in_bytes);
  print_plan(wanted.entry.plan(wanted.workload), wanted.workload);
  {
    const Stream origin = make_stream();
    const auto variant = wanted.entry.make(job);
    const std::vector<double> times = run_passes(*variant, origin.get(), wanted);
    fmt::print("median_us {:.3f}\n", median(std::span(times).subspan(times.size() / 2)));
  }
  fmt::print("checksum {:016x}\n", checksum_of(buffers.out.get(), job.layout.out_bytes));
}

}  // namespace
}  // namespace trilane

int main(int argc, char** argv) try {
  trilane::run({argv, static_cast<std::size_t>(argc)});
  return 0;
} catch (...) {
  const trilane::Ending ending = trilane::ending_of(std::current_exception());
  fmt::print(stderr, "app_variant: {}\n", ending.message);
  return ending.code;
}
