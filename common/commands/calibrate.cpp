#include "common/base/console/interrupt.hpp"
#include "common/commands/runs.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/report/profile_pages.hpp"
#include "common/measure/calibrate/calibrated_profile.hpp"
#include "common/measure/context/context.hpp"

namespace trilane {
namespace {

int calibrate(const Given& given, const Caller&) {
  const DeviceOptions asked = read_device(given);
  const std::string& path = given.operands().front();
  check_files({{"calibrate", path}}, {{"--profile", asked.profile}});
  start_device(asked, 1);
  const InterruptGuard guard;
  Profile profile;
  Console console({{"calibrate", path, [&] { return to_json(profile); }}}, given.has("force"));
  const auto others = others_before(asked.number, simulated_profile());
  const Device device = open_device(asked.number, Wait::spin);
  // Not now_us(), which shows simulated time on a simulated device.
  const auto start = std::chrono::steady_clock::now();
  Progress& progress = console.expect(1);
  progress.start("calibrating " + device.name);
  progress.phase("warming up");
  warm_up_for_calibration();
  Context context = start_context(device, "", simulated_profile(), others);
  profile = calibrated_profile(device, [&](const std::string& text) {
    stop_if_interrupted();
    progress.phase(text);
  });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  finish_context(context);
  if (const auto doubts = doubts_about_gpu(context); !doubts.empty()) {
    throw NotPossible("calibrate: no profile is written. {}", fmt::join(doubts, " "));
  }
  // On a simulated device this is a profile of the simulator, not a measurement.
  if (!context.simulated.empty()) profile.name += " (simulated)";
  profile.calibrated = context.started;
  profile.revision = context.git_revision;
  std::string text =
      fmt::format("{} calibrated in {:.1f} s: {}\n", profile.name, taken.count(), in_quotes(path));
  for (const std::string& odd : oddities(profile)) text += paragraph("Odd: " + odd);
  return console.finish(text);
}

}  // namespace

Command calibrate_command() {
  return {.name = "calibrate",
          .operands = {"FILE", 1, 1, Value::file},
          .summary = "measure a profile of the GPU for the simulated device",
          .about =
              "trilane-sim --profile FILE then predicts the times of that GPU and its host. Writes "
              "nothing if other processes used the GPU, if it throttled, or if its clock moved.",
          .examples = {"calibrate h100.json"},
          .groups = {{"Options", {option::device, option::force}}},
          .run = calibrate};
}

}  // namespace trilane
