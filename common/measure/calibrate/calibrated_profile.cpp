#include "common/measure/calibrate/calibrated_profile.hpp"

#include "common/base/json/figures.hpp"
#include "common/measure/calibrate/bed.hpp"

namespace trilane {
namespace {

constexpr double warm_up_us = 300'000;

/// Host times can be off for about a second. Each round takes less than two seconds, so one such
/// period does not change the median over several rounds.
constexpr int calibration_rounds = 7;

Profile measured(const Device& device) {
  Profile profile;
  profile.name = device.name;
  profile.compute_major = device.compute_major;
  profile.compute_minor = device.compute_minor;
  profile.multiprocessors = device.multiprocessors;
  profile.driver_version = device.driver_version;
  profile.memory_bytes = device.total_bytes;
  Bed bed;  // a new one each time: the duplex rate depends on the allocation
  measure_engines(bed, profile);
  measure_streams(bed, profile);
  measure_batches(bed, profile);
  measure_kernels(bed, profile);
  measure_memory(bed, profile);
  measure_graphs(bed, profile);
  measure_nodes(bed, profile);
  return profile;
}

}  // namespace

void warm_up_for_calibration() {
  const TimedOnly timed;
  const Bed bed;
  const double start = now_us();
  while (now_us() - start < warm_up_us) {
    for (std::uint32_t lane = 0; lane < Bed::lanes; ++lane) {
      for (Kind kind : all_stages) bed.enqueue(kind, lane, Bed::lane_bytes);
    }
    bed.synchronize();
  }
}

Profile middle(const std::vector<Profile>& profiles) {
  std::vector<Profile> all = profiles;
  const auto figures = transformed(all, [](Profile& profile) { return figures_of(profile); });
  Profile result = profiles.front();
  const std::vector<NamedFigure> results = figures_of(result);
  for (std::size_t figure = 0; figure < results.size(); ++figure) {
    constexpr double digits = 1e5;  // further digits are noise
    const auto values =
        transformed(figures, [&](const auto& one) { return *one.at(figure).value; });
    *results[figure].value = std::round(median(values) * digits) / digits;
  }
  return result;
}

Profile calibrated_profile(const Device& device,
                           const std::function<void(const std::string&)>& phase) {
  const TimedOnly timed;  // the data does not matter
  std::vector<Profile> profiles;
  for (int round = 1; round <= calibration_rounds; ++round) {
    phase(fmt::format("measuring, round {} of {}", round, calibration_rounds));
    profiles.push_back(measured(device));
  }
  return middle(profiles);
}

}  // namespace trilane
