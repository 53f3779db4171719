// The bound and the limiter of every variant on every preset, on figures of an H200, as readable
// rows. A variant or preset without a row fails.
#include <variant>

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(limiters)

/// The cost of a call, as measured on launch; it differs little between presets.
const std::vector<CallCost> h200_calls_us{
    {"cudaMemcpyAsync", 2.2},   {"cudaMemsetAsync", 1.16},      {"cudaLaunchKernel", 3.32},
    {"cudaEventRecord", 0.158}, {"cudaStreamWaitEvent", 0.128}, {"cudaMallocFromPoolAsync", 0.453},
    {"cudaFreeAsync", 0.394}};

/// Rounded figures that were measured on an H200, by the preset's name.
const std::map<std::string, Limit> h200_limits = [] {
  constexpr const char* presets[] = {"launch",  "transfer", "balanced",
                                     "compute", "reduce",   "search"};
  struct Row {
    std::variant<double Limit::*, std::optional<double> Limit::*> figure;
    double on[6];
  };
  const Row rows[] = {
      {&Limit::in_gbps, {1.6, 54.5, 47.6, 50, 53.2, 2.02}},
      {&Limit::out_gbps, {2.29, 54.7, 50, 51.2, 1.96, 0.502}},
      {&Limit::duplex_in_gbps, {1.45, 49.9, 43.3, 47.3, 53.2, 2.05}},
      {&Limit::duplex_out_gbps, {1.44, 49.5, 43.2, 47.1, 0.772, 0.918}},
      {&Limit::copy_in_us, {2.41, 154, 21.4, 40.5, 78.1, 3.2}},
      {&Limit::clear_us, {1.4, 3.75, 2.18, 2.5, 1.46, 2.03}},
      {&Limit::kernels_us, {7.89, 8.76, 21, 410, 5.79, 993}},
      {&Limit::copy_out_us, {1.61, 153, 20.4, 39.4, 1.64, 2.22}},
      {&Limit::steady_in_us, {2.82, 168, 24.2, 44.4, 78.8, 7.98}},
      {&Limit::steady_work_us, {5.26, 7.89, 15.3, 351, 3.7, 500}},
      {&Limit::steady_out_us, {2.84, 169, 24.3, 44.5, 5.31, 4.46}},
      {&Limit::graph_kernels_us, {5.13, 7.74, 20.1, 409, 4.91, 992}},
      {&Limit::graph_work_us, {2.59, 7.17, 14.8, 350, 3.27, 499}},
      {&Limit::graph_steady_kernels_us, {1.46, 5.68, 14.6, 350, 2.19, 498}},
  };
  constexpr CopyCost copies_in[] = {{2.3, 29.1},  {2.65, 18.9}, {2.52, 18.9},
                                    {2.69, 18.9}, {2.61, 18.9}, {3.11, 5.85}};
  constexpr CopyCost copies_out[] = {{1.53, 19.5}, {1.37, 19}, {1.51, 18.9},
                                     {1.62, 18.9}, {1.64, 0},  {2.1, 32.8}};
  constexpr WholePass whole[] = {{7.4, 6.32, 4.61, 4.71, 0},  {4860, 4856, 4838, 4842, 0},
                                 {306, 305, 303, 303, 223},   {306, 305, 302, 302, 2797},
                                 {1215, 2.83, 1210, 1.17, 0}, {4.42, 2.94, 0.622, 0.11, 983}};
  std::map<std::string, Limit> limits;
  for (std::size_t i = 0; i < std::size(presets); ++i) {
    Limit& limit = limits[presets[i]];
    for (const Row& row : rows) {
      std::visit([&](auto figure) { limit.*figure = row.on[i]; }, row.figure);
    }
    limit.copies_in = copies_in[i];
    limit.copies_out = copies_out[i];
    limit.whole = whole[i];
  }
  return limits;
}();

/// Returns the limit of the preset, bounds included.
Limit h200_limit_of(const Workload& preset) {
  Limit limit = h200_limits.at(preset.name);
  limit.copy_engines = 3;
  limit.calls_us = h200_calls_us;
  derive_bounds(limit, preset.chunks());
  return limit;
}

/// The measured median times of a pass, the resource that sets the bound, and the one that limits
/// the variant.
struct Row {
  const char* variant;
  double submit_us, wall_us;
  const char *bound_by, *limited_by;
};

/// By preset. No variant of that model can beat the bound; the limiter takes most of the measured
/// time.
const std::map<std::string, std::vector<Row>> wanted{
    {"launch",
     {
         // its calls cost 1.2 ms, its stages in turn 0.85 ms
         {"serial", 3900, 3900, "host submission", "waiting"},
         {"streams", 1240, 1250, "host submission", "host submission"},
         {"engines", 1410, 1410, "host submission", "host submission"},
         // four threads share the cost of the calls: 0.3 ms, less than the launches
         {"threads", 690, 695, "kernel launches", "host submission"},
         // the host takes 274 of 389 us, 64 chunks' work in a graph 166
         {"graph", 274, 389, "host submission", "host submission"},
         {"graph_early", 295, 339, "host submission", "host submission"},
         {"batch", 113, 215, "host submission", "host submission"},
         {"graph_built", 326, 348, "host submission", "host submission"},
         // bound by its own fastest submission, like every graph
         {"graph_update", 737, 814, "host submission", "host submission"},
         {"graph_set", 529, 548, "host submission", "host submission"},
         // two copies take 14 of its 119 us, 64 chunks' kernels in a graph 93
         {"graph_coalesced", 6.64, 119, "copies in turn", "copies in turn"},
         {"pool", 1320, 1320, "host submission", "host submission"},
         {"pool_trim", 1380, 1460, "host submission", "host submission"},
         {"malloc", 2250, 2250, "host submission", "memory management"},
         {"graph_pool", 268, 391, "host submission", "host submission"},
         {"streams_kernels", 1600, 1600, "host submission", "host submission"},
         // its stages' kernels take 93 of 185 us in a lane's memory; if they lie elsewhere, only
         // submission is sure, 5 us
         {"graph_kernels", 5.05, 185, "host submission", "SMs"},
         {"graph_fused", 4.9, 60.5, "host submission", "its kernels"},
         // one kernel, 19 us in all
         {"fused", 4.27, 18.7, "link", "launch and wait"},
     }},
    {"transfer",
     {
         {"serial", 11100, 11100, "taking turns", "waiting"},
         {"streams", 364, 5820, "copy out", "copy out"},
         // one stream for all kernels does no harm if they are short
         {"engines", 441, 5590, "copy out", "copy out"},
         {"threads", 303, 5850, "copy out", "copy out"},
         {"graph", 110, 5710, "copy out", "copy out"},
         {"graph_early", 119, 5730, "copy out", "copy out"},
         {"batch", 41.6, 9990, "copies in turn", "copies in turn"},
         {"graph_built", 146, 5760, "copy out", "copy out"},
         {"graph_update", 224, 5820, "copy out", "copy out"},
         {"graph_set", 221, 5840, "copy out", "copy out"},
         {"graph_coalesced", 8.89, 9970, "copies in turn", "copies in turn"},
         {"pool", 432, 5840, "copy out", "copy out"},
         {"pool_trim", 546, 6070, "copy out", "copy out"},
         {"malloc", 13400, 13400, "copy out", "memory management"},
         {"graph_pool", 108, 5700, "copy out", "copy out"},
         // 4.9 ms on the link are less than half of its 10 ms
         {"streams_kernels", 575, 9970, "link", "its kernels"},
         {"graph_kernels", 6.65, 10600, "link", "its kernels"},
         {"graph_fused", 5.39, 6430, "link", "link"},
         // 4.9 ms on the link are most of its 6.4 ms
         {"fused", 5.04, 6430, "link", "link"},
     }},
    {"balanced",
     {
         {"serial", 1480, 1490, "taking turns", "waiting"},
         {"streams", 186, 469, "copy out", "copy in"},
         // 16 kernels in turn take 0.41 ms, overlapping copies 0.43 ms
         {"engines", 214, 446, "copy out", "copy in"},
         {"threads", 135, 493, "copy out", "copy in"},
         {"graph", 53.9, 465, "copy out", "copy in"},
         {"graph_early", 50.4, 464, "copy out", "copy in"},
         {"batch", 21, 870, "copies in turn", "copies in turn"},
         {"graph_built", 76, 461, "copy out", "copy in"},
         {"graph_update", 104, 516, "copy out", "copy in"},
         {"graph_set", 106, 495, "copy out", "copy in"},
         {"graph_coalesced", 6.68, 864, "copies in turn", "copies in turn"},
         {"pool", 200, 481, "copy out", "copy in"},
         {"pool_trim", 262, 606, "copy out", "copy in"},
         {"malloc", 2310, 2310, "copy out", "memory management"},
         {"graph_pool", 53.6, 466, "copy out", "copy in"},
         {"streams_kernels", 249, 720, "link", "its kernels"},
         {"graph_kernels", 5.23, 635, "link", "its kernels"},
         {"graph_fused", 4.88, 585, "link", "link"},
         {"fused", 4.77, 478, "link", "link"},
     }},
    {"compute",
     {
         {"serial", 4180, 4180, "taking turns", "waiting"},
         {"streams", 102, 2910, "SMs", "SMs"},
         // eight kernels on one stream: those of several lanes share the SMs
         {"engines", 118, 3400, "kernels in turn", "kernels in turn"},
         {"threads", 196, 2940, "SMs", "SMs"},
         {"graph", 30.5, 2910, "SMs", "SMs"},
         {"graph_early", 40, 2910, "SMs", "SMs"},
         {"batch", 25.2, 3460, "copies in turn", "copies in turn"},
         {"graph_built", 42.2, 2900, "SMs", "SMs"},
         {"graph_update", 60.1, 2930, "SMs", "SMs"},
         {"graph_set", 59.7, 2920, "SMs", "SMs"},
         // kernels take 2.8 of its 3.4 ms, copies before and after them the rest
         {"graph_coalesced", 6.77, 3430, "copies in turn", "copies in turn"},
         {"pool", 112, 2910, "SMs", "SMs"},
         {"pool_trim", 166, 3030, "SMs", "SMs"},
         {"malloc", 4620, 4620, "SMs", "memory management"},
         {"graph_pool", 30.9, 2910, "SMs", "SMs"},
         {"streams_kernels", 132, 3020, "SMs", "SMs"},
         {"graph_kernels", 5.15, 3020, "SMs", "SMs"},
         {"graph_fused", 5.27, 2820, "SMs", "SMs"},
         {"fused", 4.81, 2820, "SMs", "SMs"},
     }},
    {"reduce",
     {
         {"serial", 1790, 1790, "taking turns", "waiting"},
         {"streams", 150, 1320, "copy in", "copy in"},
         {"engines", 175, 1280, "copy in", "copy in"},
         {"threads", 148, 1340, "copy in", "copy in"},
         {"graph", 68.8, 1300, "copy in", "copy in"},
         {"graph_early", 67.3, 1300, "copy in", "copy in"},
         {"batch", 21.2, 1290, "copies in turn", "copies in turn"},
         {"graph_built", 78.8, 1300, "copy in", "copy in"},
         {"graph_update", 117, 1350, "copy in", "copy in"},
         {"graph_set", 110, 1330, "copy in", "copy in"},
         // 1.2 of 1.28 ms; one chunk after the other is no bound for it
         {"graph_coalesced", 6.73, 1280, "copies in turn", "copies in turn"},
         {"pool", 168, 1340, "copy in", "copy in"},
         {"pool_trim", 226, 1460, "copy in", "copy in"},
         // its stages overlap, as far as the bound knows
         {"malloc", 2730, 2740, "copy in", "memory management"},
         {"graph_pool", 68.5, 1300, "copy in", "copy in"},
         {"streams_kernels", 269, 1530, "link", "link"},
         {"graph_kernels", 5.61, 1370, "link", "link"},
         {"graph_fused", 5.41, 1340, "link", "link"},
         {"fused", 5.67, 1330, "link", "link"},
     }},
    {"search",
     {
         {"serial", 2080, 2080, "taking turns", "waiting"},
         // its first copy in and one chunk take as long as two kernels side by side, within 1%
         {"streams", 22.7, 1030, "copy in", "one chunk's stages"},
         // two kernels one after the other, 2 ms
         {"engines", 27.3, 2040, "kernels in turn", "kernels in turn"},
         {"threads", 66, 1070, "copy in", "one chunk's stages"},
         // two kernels side by side on the SMs take 1 ms, as long as one alone
         {"graph", 12.3, 1030, "SMs", "one chunk's stages"},
         {"graph_early", 13.5, 1030, "SMs", "one chunk's stages"},
         {"batch", 13.2, 1030, "copies in turn", "copies in turn"},
         {"graph_built", 12.8, 1030, "copy in", "one chunk's stages"},
         {"graph_update", 22.2, 1040, "SMs", "one chunk's stages"},
         {"graph_set", 17.6, 1040, "copy in", "one chunk's stages"},
         {"graph_coalesced", 5.11, 1030, "copies in turn", "copies in turn"},
         {"pool", 25.3, 1030, "copy in", "one chunk's stages"},
         {"pool_trim", 78.7, 1130, "copy in", "one chunk's stages"},
         {"malloc", 2060, 2060, "copy in", "memory management"},
         {"graph_pool", 12.7, 1030, "SMs", "one chunk's stages"},
         {"streams_kernels", 30.6, 1030, "SMs", "SMs"},
         {"graph_kernels", 2.82, 1020, "SMs", "SMs"},
         {"graph_fused", 2.9, 998, "SMs", "SMs"},
         {"fused", 4.27, 1000, "SMs", "SMs"},
     }},
};

const Row* row_of(const std::string& preset, const std::string& variant) {
  const auto rows = wanted.find(preset);
  if (rows == wanted.end()) return nullptr;
  const auto row = std::ranges::find(rows->second, variant, &Row::variant);
  return row == rows->second.end() ? nullptr : &*row;
}

/// Returns true for a variant that states the model of a listed one: it has the same bound, and
/// needs no rows of its own.
bool is_listed(const VariantEntry& entry) {
  const Model model = entry.plan(presets().front()).model;
  return row_of(presets().front().name, entry.name) ||
         std::ranges::none_of(registry(), [&](const VariantEntry& other) {
           return row_of(presets().front().name, other.name) &&
                  other.plan(presets().front()).model == model;
         });
}

Comparison comparison_on(const Workload& preset) {
  BOOST_TEST_REQUIRE(h200_limits.contains(preset.name), "no figures of " << preset.name);
  std::vector<Measurement> measurements;
  for (const VariantEntry& entry : registry()) {
    if (!is_listed(entry)) continue;
    const Row* const row = row_of(preset.name, entry.name);
    BOOST_TEST_REQUIRE(row, "no row for " << entry.name << " on " << preset.name);
    Measurement m = made_up(entry.name, row->submit_us, row->wall_us, 3);
    m.plan = entry.plan(preset);
    measurements.push_back(std::move(m));
  }
  Comparison comparison = made_up_comparison(std::move(measurements));
  comparison.workload = preset;
  comparison.limit = h200_limit_of(preset);
  find_bounds(comparison);
  return comparison;
}

BOOST_AUTO_TEST_CASE(every_variant_has_its_bound_and_what_limits_it_on_every_preset) {
  for (const Workload& preset : presets()) {
    const Comparison comparison = comparison_on(preset);
    for (const Measurement& m : comparison.measurements) {
      const Row* const row = row_of(preset.name, m.variant);
      BOOST_TEST_CONTEXT(m.variant << " on " << preset.name) {
        BOOST_TEST(name_of(m.bound_by.value()) == row->bound_by);
        BOOST_TEST(name_of(limitation_of(comparison, m).by.value()) == row->limited_by);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_preset_keeps_its_promise_on_these_figures) {
  for (const Workload& preset : presets()) {
    Comparison comparison = comparison_on(preset);
    judge_regime(comparison);
    BOOST_TEST(comparison.regime_held.value(), preset.name << ": " << comparison.regime);
  }
}

BOOST_AUTO_TEST_SUITE_END()
