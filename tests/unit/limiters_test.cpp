// What bounds every variant on every preset and what limits it, on figures of an H200, as rows that
// a person can read. A variant or preset without a row fails.
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <map>

#include "common/analysis/limits/bounds.hpp"
#include "common/analysis/limits/limitation.hpp"
#include "common/analysis/limits/pipelined.hpp"
#include "common/variant/variant.hpp"
#include "tests/unit/h200_figures.hpp"
#include "tests/unit/made_up.hpp"

using namespace trilane;

namespace {

Comparison comparison_on(const Workload& preset) {
  const Figures& figures = h200_figures.at(preset.name);
  std::vector<Measurement> measurements;
  for (const VariantEntry& entry : registry()) {
    const PassTimes& times = figures.variants.at(entry.name);
    Measurement m = made_up(entry.name, times.submit_us, times.wall_us, 3);
    m.plan = entry.plan(preset);
    measurements.push_back(std::move(m));
  }
  Comparison comparison = made_up_comparison(std::move(measurements));
  comparison.workload = preset;
  comparison.limit = figures.limit;
  derive_bounds(*comparison.limit, preset.chunks());
  find_bounds(comparison);
  return comparison;
}

std::string row_of(const Comparison& comparison, const Measurement& m) {
  const auto limiter = limitation_of(comparison, m).by;
  return std::string(m.bound_by ? name_of(*m.bound_by) : "-") + " | " +
         (limiter ? name_of(*limiter) : "-");
}

using Rows = std::map<std::string, std::string>;  // by variant: bound | limited by

}  // namespace

BOOST_AUTO_TEST_SUITE(limiters)

BOOST_AUTO_TEST_CASE(print_them) {
  for (const Workload& preset : presets()) {
    const Comparison comparison = comparison_on(preset);
    for (const Measurement& m : comparison.measurements) {
      printf("%s;%s;%s;%s\n", preset.name.c_str(), m.variant.c_str(), row_of(comparison, m).c_str(),
             limitation_of(comparison, m).next.c_str());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
