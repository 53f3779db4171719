#include "common/model/results/find.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

void check_sample(const Comparison& comparison, const Sample& sample) {
  const auto below = [](const char* column, std::uint32_t value, std::size_t count,
                        const char* what) {
    if (value < count) return;
    throw Misfit{step(std::string_view(column)),
                 fmt::format("has {}, and there are {} {}", value, count, what)};
  };
  below("process", sample.process, comparison.processes, "processes");
  below("round", sample.round, comparison.rounds, "rounds");
  below("after", sample.after, comparison.measurements.size(), "variants");
}

void check_measurement(const Comparison& comparison, const Measurement& measurement) {
  for (const auto& [key, samples] :
       {std::pair{"samples", &measurement.samples}, {"set_aside", &measurement.set_aside}}) {
    within(std::string_view(key), [&] {
      for (const Sample& sample : *samples) check_sample(comparison, sample);
    });
  }
}

}  // namespace

void cross_check(const Comparison& comparison) {
  if (const std::string flaw = flaw_of(comparison.workload); !flaw.empty()) {
    throw Misfit{".workload", flaw};
  }
  std::set<std::string> names;
  within("measurements", [&] {
    within_each(comparison.measurements, [&](const Measurement& measurement) {
      if (!names.insert(measurement.variant).second) {
        throw Misfit{".variant", fmt::format("is {}, as before", measurement.variant)};
      }
      check_measurement(comparison, measurement);
    });
  });
  if (!comparison.reference.empty() && !names.contains(comparison.reference)) {
    throw Misfit{".reference", fmt::format("is {}, which has no entry", comparison.reference)};
  }
  std::size_t samples = 0;
  for (const Measurement& m : comparison.measurements) samples += m.samples.size();
  if (samples > 0 && comparison.processes > samples) {
    throw Misfit{".processes",
                 fmt::format("is {}, more than its {} samples", comparison.processes, samples)};
  }
}

}  // namespace trilane
