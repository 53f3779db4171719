#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "common/commands/commands.hpp"
#include "common/console/console.hpp"
#include "common/diff/diff_runs.hpp"
#include "common/results/files/results_io.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {

namespace {

RunFile load(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    throw UsageError(fmt::format("--compare {}: {}", in_quotes(path), why));
  };
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {  // fails for folders and empty files
    refuse(fmt::format("cannot be read ({}); give a file that --json wrote",
                       errno != 0 ? std::strerror(errno) : "it is empty"));
  }
  RunFile run{.path = path, .results = {}};
  try {
    run.results = from_json(text.str());
  } catch (const std::invalid_argument& error) {
    refuse(fmt::format("{}; give a file that --json wrote", error.what()));
  }
  return run;
}

}  // namespace

int diff(const Options& options) {
  const DiffRequest& request = options.diff;
  RunChange runs;
  Console console({{"--json", options.json, [&] { return to_json(runs); }}}, options.force);
  const RunFile before = load(request.before), now = load(request.now);
  runs = diff_runs(before, now, request);
  console.say(page(runs));
  console.finish();
  return request.fail_beyond && worse(runs, *request.fail_beyond) ? exit_wrong : exit_ok;
}

}  // namespace trilane
