#include <fmt/format.h>

#include <chrono>

#include "common/calibrate/calibrated_profile.hpp"
#include "common/commands/commands.hpp"
#include "common/console/console.hpp"
#include "common/context/context.hpp"
#include "common/device/flavour.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {

int calibrate(const Options& options) {
  Profile profile;
  Console console({{"--calibrate", options.calibrate, [&] { return to_json(profile); }}},
                  options.force);
  const Device device = open_device(options.device, Wait::spin);
  const Context context = start_context(device, "", simulated_profile());
  // Not now_us(), which shows simulated time on a simulated device.
  const auto start = std::chrono::steady_clock::now();
  Progress& progress = console.expect(1);
  progress.start("calibrating " + device.name);
  profile = calibrated_profile(device, [&](const std::string& text) { progress.phase(text); });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  // On a simulated device this is a profile of the simulator, not a measurement.
  if (!context.simulated.empty()) profile.name += " (simulated)";
  profile.calibrated = context.started;
  profile.revision = context.git_revision;
  console.finish();
  console.say(fmt::format("{} calibrated in {:.1f} s: {}\n", profile.name, taken.count(),
                          in_quotes(options.calibrate)));
  return exit_ok;
}

}  // namespace trilane
