#include "common/calibrate.hpp"

#include <fmt/format.h>

#include <chrono>

#include "common/calibrate/calibrate.hpp"
#include "common/context/context.hpp"
#include "common/exit_code.hpp"
#include "common/flavour/flavour.hpp"
#include "common/options/output_file.hpp"
#include "common/options/text.hpp"
#include "common/results/progress.hpp"

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
