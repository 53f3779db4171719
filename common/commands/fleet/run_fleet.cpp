#include <unistd.h>

#include "common/base/system/process.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/runs.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

constexpr const char* rank_program = "trilane-fleet";

/// Returns the seconds after which a rank's run is ended.
double read_limit(const Given& given, const RunOptions& options) {
  constexpr double least = 600, most_us = 7 * 86400e6, us_in_second = 1e6, times = 3;
  const double measuring = options.processes.seconds * options.processes.count *
                           static_cast<double>(options.processes.settings.size()) *
                           static_cast<double>(options.workloads.size());
  const auto limit_us = given.time_us("time-limit", most_us);
  return limit_us ? std::max(1.0, *limit_us / us_in_second) : least + times * measuring;
}

/// Returns the words of the program of a rank; its own, then those of the measurement.
std::vector<std::string> words_of(const Given& given, const RunOptions& options) {
  std::vector<std::string> words{rank_program,
                                 fs::read_symlink("/proc/self/exe"),
                                 given.operands().front(),
                                 fmt::format("{:.0f}", read_limit(given, options)),
                                 given.text("device").value_or("local"),
                                 "run",
                                 "--name-node"};
  for (const auto& [name, text] : given.all()) {
    if (name == "time-limit" || name == "device") continue;
    words.push_back(text.empty() ? "--" + name : fmt::format("--{}={}", name, text));
  }
  return words;
}

int start_rank(const Given& given, const Caller& caller) {
  given.forbid("kernel-time", "each rank would choose different rounds; give --rounds instead");
  if (names_several_devices(given)) {
    given.forbid("device", "names several GPUs, but a rank measures one; leave it out");
  }
  RunOptions options = read_run(given, caller);
  check_read(given, options);
  const std::string rank = part_of_program(rank_program);
  if (rank.empty()) {
    throw NotPossible(
        "fleet needs {}, which is built where MPI is found (Debian: libopenmpi-dev); or start "
        "trilane run --json on each GPU, and trilane merge *.json does the same",
        rank_program);
  }
  std::vector<std::string> words = words_of(given, options);
  execv(rank.c_str(), pointers_to(words).data());
  throw NotPossible("{} cannot be started ({})", in_quotes(rank), std::strerror(errno));
}

}  // namespace

Command fleet_command() {
  constexpr std::array other_rows{"device", "prove-break-even", "json",      "csv",      "trace",
                                  "quiet",  "markdown",         "name-node", "together", "split"};
  std::vector<OptionGroup> groups = run_command().groups;
  for (OptionGroup& group : groups) {
    std::erase_if(group.rows, [&](const OptionRow& row) {
      return includes(other_rows, std::string_view(row.name));
    });
  }
  groups.insert(groups.end() - 1, {"The ranks",
                                   {{"device", "N",
                                     "the GPU of every rank, for launchers that show each rank "
                                     "only its own (default: the rank's number on its node)"},
                                    {"time-limit", "TIME",
                                     "end a rank's run that takes longer, and name it (default: "
                                     "10min and three times the measuring time)"}}});
  return {.name = "fleet",
          .operands = {"FOLDER", 1, 1, Value::file},
          .summary = "run on many GPUs at once, one MPI rank each, and name the odd ones",
          .about =
              "mpirun or srun starts it, for example mpirun -n 8 trilane fleet FOLDER. Each rank "
              "measures the same on the GPU of its number on the node, and keeps its results in "
              "FOLDER. Rank 0 collects them, writes FOLDER/fleet.json.gz and prints the report of "
              "trilane merge. A rank that has no GPU, fails, is killed or hangs is named.",
          .examples = {"fleet results --preset transfer,balanced"},
          .groups = groups,
          .run = start_rank};
}

}  // namespace trilane
