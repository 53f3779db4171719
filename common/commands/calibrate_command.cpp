#include "common/commands/calibrate_command.hpp"

#include <fmt/format.h>

#include <chrono>

#include "common/calibrate/calibrated_profile.hpp"
#include "common/console/output_file.hpp"
#include "common/console/progress.hpp"
#include "common/context/context.hpp"
#include "common/device/flavour.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {

int calibrate(const Options& options) {
  OutputFile file("--calibrate", options.calibrate, options.force);
  const Device device = open_device(options.device, Wait::spin);
  const Context context = start_context(device, "", simulated_profile());
  // Not now_us(): a person waits in real time, whatever the device's clock shows.
  const auto start = std::chrono::steady_clock::now();
  Progress progress(stderr, 1);
  progress.start("calibrating " + device.name);
  Profile profile =
      calibrated_profile(device, [&](const std::string& text) { progress.phase(text); });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  progress.clear();

  // Of a simulated device this is a profile of the simulator, and no measurement.
  if (!context.simulated.empty()) profile.name += " (simulated)";
  profile.calibrated = context.started;
  profile.revision = context.git_revision;
  file.write(to_json(profile));
  const std::string line = fmt::format("{} calibrated in {:.1f} s: {}\n", profile.name,
                                       taken.count(), in_quotes(options.calibrate));
  if (file.to_stdout()) {
    std::fputs(line.c_str(), stderr);
  } else {
    write_stdout(line);
  }
  return exit_ok;
}

}  // namespace trilane
