#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/split.hpp>

#include "common/base/text/size.hpp"
#include "common/commands/options/option_parts.hpp"
#include "common/commands/options/single_kernel.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "common/model/workload/pool_policy.hpp"

namespace trilane {
namespace {

std::optional<Order> read_order(const Given& given) {
  const auto name = given.one_of("order", {"depth", "breadth"});
  if (!name) return std::nullopt;
  return name == "depth" ? Order::depth_first : Order::breadth_first;
}

/// With several policies the workload keeps the default, and contenders() assigns the policies.
PoolPolicy read_pool(const Given& given) {
  const auto policies = given.read("pool", parse_policies);
  return policies && policies->size() == 1 ? policies->front().policy : PoolPolicy{};
}

/// Applies --host-memory and --pool, which are not knobs.
Workload with_memory(Workload workload, const Given& given) {
  workload.host_memory = chosen_settings(given).front().host_memory;
  workload.pool = read_pool(given);
  return workload;
}

bool any_knob(const Given& given) {
  constexpr std::array names{"size",  "chunks", "chunk-size", "result-size", "stride",
                             "lanes", "depth",  "rounds",     "kernel-time", "order"};
  return std::ranges::any_of(names, [&](const char* name) { return given.has(name); });
}

/// Kernels with minimal work, because a shape says nothing about kernels: with balanced's, 200
/// kernels on 4 KiB would be long ones.
Workload custom_base() {
  Workload base = *std::ranges::find(presets(), "balanced", &Workload::name);
  base.name = "custom";
  base.rounds = 1;
  return base;
}

/// Returns the named presets in the order given, or all presets.
std::vector<Workload> named_presets(const Given& given) {
  std::vector<std::string> names;
  for (const Workload& preset : presets()) names.push_back(preset.name);
  const auto chosen = given.some_of("preset", names).value_or(names);
  std::vector<Workload> named;
  for (const std::string& name : chosen) {
    named.push_back(*std::ranges::find(presets(), name, &Workload::name));
  }
  return named;
}

Workload from_file(const std::string& path) {
  PipelineFile file = read_pipeline(path);
  Workload workload = workload_of(file.name, std::move(file.pipeline));
  workload.lanes = file.lanes.value_or(custom_base().lanes);
  workload.order = file.order.value_or(Order::depth_first);
  return workload;
}

/// Returns the workloads of --pipeline and --kernel.
std::vector<Workload> own_workloads(const Given& given) {
  std::vector<Workload> workloads;
  if (const auto paths = given.text("pipeline")) {
    std::vector<std::string> files;
    boost::split(files, *paths, [](char c) { return c == ','; });
    for (const std::string& file : files) {
      if (file.empty()) given.forbid("pipeline", "names a file without a name; give its path");
      workloads.push_back(from_file(file));
    }
  }
  if (const auto kernel = given.text("kernel")) {
    Pipeline pipeline = pipeline_of_kernel(*kernel, custom_base());
    const std::string name = pipeline.kernels.front().name;
    workloads.push_back(workload_of(name, std::move(pipeline)));
    workloads.back().lanes = custom_base().lanes;
  }
  if (!workloads.empty()) {
    given.forbid("kernel-time", "finds rounds of Trilane's own kernels; leave it out");
  }
  return workloads;
}

std::optional<std::uint64_t> read_chunks(const Given& given) {
  const std::string text = given.text("chunks").value_or("");
  if (text.find(',') != text.npos || text.find("..") != text.npos) {
    given.forbid("chunks", fmt::format("takes one number; to find the best of several: trilane "
                                       "sweep chunks={}",
                                       text));
  }
  return given.count("chunks", std::uint64_t{1}, max_chunks);
}

}  // namespace

Knobs read_knobs(const Given& given) {
  return {.size = given.read("size", parse_size),
          .chunks = read_chunks(given),
          .chunk_size = given.read("chunk-size", parse_size),
          .result_size = given.read("result-size", parse_size),
          .stride = given.read("stride", parse_size),
          .lanes = given.count("lanes", 1u, max_lanes),
          .depth = given.count("depth", 1u, max_depth),
          .rounds = given.count("rounds", 1u, max_rounds),
          .order = read_order(given)};
}

std::vector<Workload> chosen_workloads(const Given& given) {
  const Knobs knobs = read_knobs(given);
  const bool knobs_given = any_knob(given);
  const std::vector<Workload> own = own_workloads(given);
  const bool custom = knobs_given && !given.has("preset");
  std::vector<Workload> bases;
  if (own.empty() || given.has("preset")) {
    bases = custom ? std::vector{custom_base()} : named_presets(given);
  }
  bases.insert(bases.end(), own.begin(), own.end());
  std::vector<Workload> workloads;
  for (const Workload& base : bases) {
    workloads.push_back(turned(with_memory(base, given), knobs));
    // A single kernel's only size is that of the knobs.
    const bool stated = base.pipeline ? base.pipeline->stated_in_file : !custom;
    workloads.back().modified = knobs_given && stated;
  }
  return workloads;
}

Workload sweep_base(const Given& given) {
  const std::vector<Workload> own = own_workloads(given);
  if (own.size() > 1) {
    given.forbid("pipeline", "a sweep turns the knobs of one workload; name one");
  }
  if (!own.empty()) {
    given.forbid("preset", "a sweep turns the knobs of one workload; leave one out");
    return with_memory(own.front(), given);
  }
  if (!given.has("preset")) return with_memory(custom_base(), given);
  const std::vector<Workload> named = named_presets(given);
  if (named.size() > 1) given.forbid("preset", "a sweep turns the knobs of one workload; name one");
  return with_memory(named.front(), given);
}

}  // namespace trilane
