// The bound and the limiter of every variant on every preset, on figures of an H200, as readable
// rows. A variant or preset without a row fails.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <string>

#include "common/explain/analysis/limits/limitation.hpp"
#include "common/explain/analysis/limits/loads.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/explain/analysis/limits/h200_figures.hpp"
#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(limiters)

namespace {

/// The resource that sets the bound, and the one that limits the variant.
struct Row {
  const char *variant, *bound_by, *limited_by;
};

/// By preset. No variant of that model can beat the bound; the limiter takes most of the measured
/// time.
const std::map<std::string, std::vector<Row>> wanted{
    {"launch",
     {
         // its calls cost 1.2 ms, its stages in turn 0.85 ms
         {"serial", "host submission", "waiting"},
         {"streams", "host submission", "host submission"},
         {"engines", "host submission", "host submission"},
         // four threads share the cost of the calls: 0.3 ms, less than the launches
         {"threads", "kernel launches", "host submission"},
         // the host takes 274 of 389 us, 64 chunks' work in a graph 166
         {"graph", "host submission", "host submission"},
         {"graph_early", "host submission", "host submission"},
         {"batch", "host submission", "host submission"},
         {"graph_built", "host submission", "host submission"},
         // bound by its own fastest submission, like every graph
         {"graph_update", "host submission", "host submission"},
         {"graph_set", "host submission", "host submission"},
         // two copies take 14 of its 119 us, 64 chunks' kernels in a graph 93
         {"graph_coalesced", "copies in turn", "copies in turn"},
         {"pool", "host submission", "host submission"},
         {"pool_trim", "host submission", "host submission"},
         {"malloc", "host submission", "memory management"},
         {"graph_pool", "host submission", "host submission"},
         {"streams_kernels", "host submission", "host submission"},
         // its stages' kernels take 93 of 185 us in a lane's memory; if they lie elsewhere, only
         // submission is sure, 5 us
         {"graph_kernels", "host submission", "SMs"},
         {"graph_fused", "host submission", "its kernels"},
         // one kernel, 19 us in all
         {"fused", "link", "launch and wait"},
     }},
    {"transfer",
     {
         {"serial", "taking turns", "waiting"},
         {"streams", "copy out", "copy out"},
         // one stream for all kernels does no harm if they are short
         {"engines", "copy out", "copy out"},
         {"threads", "copy out", "copy out"},
         {"graph", "copy out", "copy out"},
         {"graph_early", "copy out", "copy out"},
         {"batch", "copies in turn", "copies in turn"},
         {"graph_built", "copy out", "copy out"},
         {"graph_update", "copy out", "copy out"},
         {"graph_set", "copy out", "copy out"},
         {"graph_coalesced", "copies in turn", "copies in turn"},
         {"pool", "copy out", "copy out"},
         {"pool_trim", "copy out", "copy out"},
         {"malloc", "copy out", "memory management"},
         {"graph_pool", "copy out", "copy out"},
         // 4.9 ms on the link are less than half of its 10 ms
         {"streams_kernels", "link", "its kernels"},
         {"graph_kernels", "link", "its kernels"},
         {"graph_fused", "link", "link"},
         // 4.9 ms on the link are most of its 6.4 ms
         {"fused", "link", "link"},
     }},
    {"balanced",
     {
         {"serial", "taking turns", "waiting"},
         {"streams", "copy out", "copy in"},
         // 16 kernels in turn take 0.41 ms, overlapping copies 0.43 ms
         {"engines", "copy out", "copy in"},
         {"threads", "copy out", "copy in"},
         {"graph", "copy out", "copy in"},
         {"graph_early", "copy out", "copy in"},
         {"batch", "copies in turn", "copies in turn"},
         {"graph_built", "copy out", "copy in"},
         {"graph_update", "copy out", "copy in"},
         {"graph_set", "copy out", "copy in"},
         {"graph_coalesced", "copies in turn", "copies in turn"},
         {"pool", "copy out", "copy in"},
         {"pool_trim", "copy out", "copy in"},
         {"malloc", "copy out", "memory management"},
         {"graph_pool", "copy out", "copy in"},
         {"streams_kernels", "link", "its kernels"},
         {"graph_kernels", "link", "its kernels"},
         {"graph_fused", "link", "link"},
         {"fused", "link", "link"},
     }},
    {"compute",
     {
         {"serial", "taking turns", "waiting"},
         {"streams", "SMs", "SMs"},
         // eight kernels on one stream: those of several lanes share the SMs
         {"engines", "kernels in turn", "kernels in turn"},
         {"threads", "SMs", "SMs"},
         {"graph", "SMs", "SMs"},
         {"graph_early", "SMs", "SMs"},
         {"batch", "copies in turn", "copies in turn"},
         {"graph_built", "SMs", "SMs"},
         {"graph_update", "SMs", "SMs"},
         {"graph_set", "SMs", "SMs"},
         // kernels take 2.8 of its 3.4 ms, copies before and after them the rest
         {"graph_coalesced", "copies in turn", "copies in turn"},
         {"pool", "SMs", "SMs"},
         {"pool_trim", "SMs", "SMs"},
         {"malloc", "SMs", "memory management"},
         {"graph_pool", "SMs", "SMs"},
         {"streams_kernels", "SMs", "SMs"},
         {"graph_kernels", "SMs", "SMs"},
         {"graph_fused", "SMs", "SMs"},
         {"fused", "SMs", "SMs"},
     }},
    {"reduce",
     {
         {"serial", "taking turns", "waiting"},
         {"streams", "copy in", "copy in"},
         {"engines", "copy in", "copy in"},
         {"threads", "copy in", "copy in"},
         {"graph", "copy in", "copy in"},
         {"graph_early", "copy in", "copy in"},
         {"batch", "copies in turn", "copies in turn"},
         {"graph_built", "copy in", "copy in"},
         {"graph_update", "copy in", "copy in"},
         {"graph_set", "copy in", "copy in"},
         // 1.2 of 1.28 ms; one chunk after the other is no bound for it
         {"graph_coalesced", "copies in turn", "copies in turn"},
         {"pool", "copy in", "copy in"},
         {"pool_trim", "copy in", "copy in"},
         // its stages overlap, as far as the bound knows
         {"malloc", "copy in", "memory management"},
         {"graph_pool", "copy in", "copy in"},
         {"streams_kernels", "link", "link"},
         {"graph_kernels", "link", "link"},
         {"graph_fused", "link", "link"},
         {"fused", "link", "link"},
     }},
    {"search",
     {
         {"serial", "taking turns", "waiting"},
         // its first copy in and one chunk take as long as two kernels side by side, within 1%
         {"streams", "copy in", "one chunk's stages"},
         // two kernels one after the other, 2 ms
         {"engines", "kernels in turn", "kernels in turn"},
         {"threads", "copy in", "one chunk's stages"},
         // two kernels side by side on the SMs take 1 ms, as long as one alone
         {"graph", "SMs", "one chunk's stages"},
         {"graph_early", "SMs", "one chunk's stages"},
         {"batch", "copies in turn", "copies in turn"},
         {"graph_built", "copy in", "one chunk's stages"},
         {"graph_update", "SMs", "one chunk's stages"},
         {"graph_set", "copy in", "one chunk's stages"},
         {"graph_coalesced", "copies in turn", "copies in turn"},
         {"pool", "copy in", "one chunk's stages"},
         {"pool_trim", "copy in", "one chunk's stages"},
         {"malloc", "copy in", "memory management"},
         {"graph_pool", "SMs", "one chunk's stages"},
         {"streams_kernels", "SMs", "SMs"},
         {"graph_kernels", "SMs", "SMs"},
         {"graph_fused", "SMs", "SMs"},
         {"fused", "SMs", "SMs"},
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
  BOOST_TEST_REQUIRE(h200_figures.contains(preset.name), "no figures of " << preset.name);
  const Figures& figures = h200_figures.at(preset.name);
  std::vector<Measurement> measurements;
  for (const VariantEntry& entry : registry()) {
    if (!is_listed(entry)) continue;
    BOOST_TEST_REQUIRE(figures.variants.contains(entry.name), "no times of " << entry.name);
    const PassTimes& times = figures.variants.at(entry.name);
    Measurement m = made_up(entry.name, times.submit_us, times.wall_us, 3);
    m.plan = entry.plan(preset);
    measurements.push_back(std::move(m));
  }
  Comparison comparison = made_up_comparison(std::move(measurements));
  comparison.workload = preset;
  comparison.limit = limit_of(figures.limit, preset.chunks());
  find_bounds(comparison);
  return comparison;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_variant_has_its_bound_and_what_limits_it_on_every_preset) {
  for (const Workload& preset : presets()) {
    const Comparison comparison = comparison_on(preset);
    for (const Measurement& m : comparison.measurements) {
      const Row* const row = row_of(preset.name, m.variant);
      BOOST_TEST_REQUIRE(row, "no row for " << m.variant << " on " << preset.name);
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
