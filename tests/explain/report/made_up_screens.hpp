// Runs of every kind that a screen must show.
#pragma once

#include "tests/model/made_up.hpp"

namespace trilane {

inline Measurement with_model(const std::string& variant, const Model& model, double wall_us,
                              std::uint32_t rounds = 21) {
  Measurement m = made_up(variant, wall_us / 2, wall_us, rounds);
  m.plan.model = model;
  m.checked_passes = 4;
  return m;
}

/// Returns streams, graph, pools, engines, one that moves chunks together, and two rewrites.
inline std::vector<Measurement> of_all_tiers(double streams_us, std::uint32_t rounds = 21) {
  using enum Issuer;
  using enum Chaining;
  using enum ScratchSource;
  using enum Mover;
  const auto m = [&](const char* name, const Model& model, double factor) {
    return with_model(name, model, factor * streams_us, rounds);
  };
  return {m("serial", {host_waiting, one_stream, ScratchSource::lane, engines_per_chunk}, 3),
          m("streams", {host, lanes, ScratchSource::lane, engines_per_chunk}, 1),
          m("engines", {host, engines, ScratchSource::lane, engines_per_chunk}, 0.95),
          m("graph", {Issuer::graph, lanes, ScratchSource::lane, engines_per_chunk}, 0.4),
          m("graph_coalesced", {Issuer::graph, lanes, pass, engines_per_pass}, 0.09),
          m("pool", {host, lanes, ScratchSource::pool, engines_per_chunk}, 1.08),
          m("pool_trim", {host, lanes, trimmed_pool, engines_per_chunk}, 1.3),
          m("malloc", {host, lanes, cuda_malloc, engines_per_chunk}, 5.2),
          m("graph_fused", {Issuer::graph, lanes, none, fused_per_chunk}, 0.05),
          m("fused", {host, one_stream, none, fused_per_pass}, 0.0145)};
}

inline Results run_of(std::vector<Comparison> comparisons) {
  Results results;
  results.context.gpu = {{"name", "NVIDIA Example 100"},
                         {"driver_version", "999.1"},
                         {"cuda_runtime_version", "98.7"}};
  results.comparisons = std::move(comparisons);
  return results;
}

inline Comparison run_on(const Workload& workload, std::vector<Measurement> measurements,
                         const std::string& reference = "streams") {
  Comparison comparison = made_up_comparison(std::move(measurements), reference);
  comparison.workload = workload;
  comparison.limit = Limit{.bound_us = 340};
  return comparison;
}

inline Results all_presets() {
  std::vector<Comparison> comparisons;
  for (const Workload& preset : presets())
    comparisons.push_back(run_on(preset, of_all_tiers(1247)));
  return run_of(std::move(comparisons));
}

inline Results one_preset() { return run_of({run_on(presets().front(), of_all_tiers(1247))}); }

/// Adds everything that makes a screen longer, with long words.
inline void burden(Results& results) {
  const std::string longer(60, 'w');
  results.context.other_processes = {"1 " + longer, "2 " + longer, "3 " + longer, "4 " + longer};
  results.context.gpu_before = {{"sm_clock_mhz", "1980"},
                                {"clocks_limited_by", "software power cap, hardware slowdown"}};
  results.context.gpu_after = {{"sm_clock_mhz", "1000"}, {"clocks_limited_by", "none"}};
  for (Comparison& comparison : results.comparisons) {
    comparison.regime_held = false;
    comparison.stopped = "interrupted";
    comparison.advice = Advice{.use = "graph",
                               .over = "streams",
                               .ratio = {},
                               .break_even = {},
                               .device_bytes = {},
                               .limited_by = "host submission",
                               .share = {},
                               .figures = longer + " " + longer + " " + longer + " " + longer,
                               .next = longer + " " + longer + " " + longer + " " + longer,
                               .step = {}};
    for (const char* name : {"broken_", "lost_", "impossible_"}) {
      comparison.measurements.push_back(
          made_up(name + longer,
                  name[0] == 'b'   ? Status::failed
                  : name[0] == 'l' ? Status::not_run
                                   : Status::not_supported,
                  "why " + longer + " " + longer + " " + longer + "\nand more"));
    }
  }
}

}  // namespace trilane
