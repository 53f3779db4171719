// A rank of `trilane fleet`, the only program that needs MPI. Rank 0 receives the results files of
// all, and `trilane merge` makes one file and one report of them. Nothing waits without a limit.
#include <mpi.h>
#include <sched.h>

#include <climits>
#include <list>

#include "common/base/console/output_file.hpp"
#include "common/base/system/process.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/fleet/ranks/rank_run.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock, std::chrono::seconds;

constexpr seconds delays(30);    // between ranks: their starts and the messages
constexpr seconds merging(600);  // of the results of all
constexpr int outcome_tag = 1, release_tag = 2;

void complain(const std::string& text) {
  std::fprintf(stderr, "trilane fleet: %s\n", text.c_str());
}

/// The number of the rank among those of its node that see the same GPUs. Some launchers show each
/// rank a GPU of its own.
int local_device() {
  const auto group =
      std::hash<std::string>()(environment_value("CUDA_VISIBLE_DEVICES")) & INT_MAX;
  MPI_Comm node, same;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_split(node, static_cast<int>(group), 0, &same);
  int device = 0;
  MPI_Comm_rank(same, &device);
  MPI_Comm_free(&same);
  MPI_Comm_free(&node);
  return device;
}

std::string node_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, static_cast<std::size_t>(length)};
}

/// Returns false if the time is up first.
bool finish(MPI_Request& request, steady_clock::time_point end) {
  return wait_until(end, [&] {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
}

/// Sends the outcome with the results file to rank 0, and waits until that has merged all. Returns
/// false if the time is up first, or if a rank was lost.
bool report(const FleetJob& job, int rank, const RankOutcome& outcome,
            steady_clock::time_point end) {
  std::ifstream file(job.results_of(rank), std::ios::binary);
  const std::string results(std::istreambuf_iterator<char>(file), {});
  const std::string message = fmt::format("{}\n{}\n{}", +outcome.code, outcome.why, results);
  MPI_Request request;
  MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_BYTE, 0, outcome_tag,
            MPI_COMM_WORLD, &request);
  if (!finish(request, end)) return false;
  char complete = 0;
  MPI_Irecv(&complete, 1, MPI_BYTE, 0, release_tag, MPI_COMM_WORLD, &request);
  return finish(request, end) && complete != 0;
}

/// The ranks' outcomes as rank 0 receives them.
class Collector {
 public:
  Collector(const FleetJob& job, int size) : job_(job), outcomes_(static_cast<std::size_t>(size)) {}

  void add(int rank, RankOutcome outcome) { outcomes_[static_cast<std::size_t>(rank)] = outcome; }

  /// Receives until all are there. Returns false if the time is up first.
  bool receive(steady_clock::time_point end) {
    const auto is_there = [](const auto& outcome) { return outcome.has_value(); };
    return wait_until(end, [&] {
      int found = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, outcome_tag, MPI_COMM_WORLD, &found, &status);
      if (found != 0) receive_one(status);
      return std::ranges::all_of(outcomes_, is_there);
    });
  }

  /// Merges what there is, and names the ranks without results. Returns the worst exit code.
  ExitCode merge() const {
    ExitCode worst = exit_ok;
    std::string left_out;
    ProcessStart start{.words = {job_.program, "merge"}, .program = job_.program};
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const std::string file = job_.results_of(static_cast<int>(i));
      const RankOutcome outcome = outcomes_[i].value_or(
          RankOutcome{exit_wrong, fmt::format("rank {} was not heard of again", i)});
      worst = worse_of(worst, outcome.code);
      if (!outcome.why.empty()) left_out += fmt::format("{}\t{}\n", file, outcome.why);
      if (fs::exists(file)) start.words.push_back(file);
    }
    if (start.words.size() == 2) {
      complain("no rank has results:\n" + left_out);
      return worst;
    }
    start.words.push_back(fmt::format("--json={}", (job_.folder / "fleet.json.gz").string()));
    if (!left_out.empty()) {
      const fs::path list = job_.folder / "fleet.left-out.txt";
      std::ofstream(list) << left_out;
      start.words.push_back(fmt::format("--left-out={}", list.string()));
    }
    if (job_.replaces()) start.words.push_back("--force");
    return worse_of(worst, static_cast<ExitCode>(Process(start).wait().shell_code()));
  }

  /// Lets the ranks that were heard of end.
  void release(bool complete) const {
    const char sent = complete ? 1 : 0;
    for (std::size_t i = 1; i < outcomes_.size(); ++i) {
      if (outcomes_[i])
        MPI_Send(&sent, 1, MPI_BYTE, static_cast<int>(i), release_tag, MPI_COMM_WORLD);
    }
  }

 private:
  /// Receives the announced message; gives its sender up if the message does not arrive.
  void receive_one(const MPI_Status& status) {
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    std::string& text = texts_.emplace_back(static_cast<std::size_t>(length), '\0');
    MPI_Request request;
    MPI_Irecv(text.data(), length, MPI_BYTE, status.MPI_SOURCE, outcome_tag, MPI_COMM_WORLD,
              &request);
    if (!finish(request, steady_clock::now() + grace)) return;
    const auto first = text.find('\n'), second = text.find('\n', first + 1);
    RankOutcome outcome{static_cast<ExitCode>(std::atoi(text.c_str())),
                        text.substr(first + 1, second - first - 1)};
    keep(status.MPI_SOURCE, std::string_view(text).substr(second + 1), outcome);
    add(status.MPI_SOURCE, outcome);
    texts_.pop_back();
  }

  /// Writes a results file, unless the ranks share the folder.
  void keep(int rank, std::string_view content, RankOutcome& outcome) const try {
    const fs::path file = job_.results_of(rank);
    std::error_code none;
    if (content.empty() || fs::file_size(file, none) == content.size()) return;
    TemporaryFile written(file);
    written.write(content);
    written.replace(file);
  } catch (const std::system_error& error) {
    outcome = {exit_output, fmt::format("rank {}: its results cannot be written ({})", rank,
                                        error.code().message())};
  }

  const FleetJob& job_;
  std::vector<std::optional<RankOutcome>> outcomes_;
  std::list<std::string> texts_;  // those of messages that did not arrive stay
};

/// Returns why the launcher's number of ranks is not MPI's; empty if it is. Under the launcher of
/// another MPI each program takes itself for the only rank. The step of Slurm may be mpirun's own.
std::string mismatch(int size) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const text = std::getenv(name);
    if (!text) continue;
    if (std::atoi(text) == size) return "";
    return fmt::format(
        "{} is {}, but MPI has {} rank{}; use the launcher of the MPI that "
        "trilane-fleet was built with (srun: --mpi=pmix)",
        name, printable(text), size, size == 1 ? "" : "s");
  }
  return "";
}

/// Warns where a launcher binds each rank to a core, as mpirun does with two ranks.
void warn_of_one_core() {
  cpu_set_t own;
  const bool is_bound = sched_getaffinity(0, sizeof own, &own) == 0 && CPU_COUNT(&own) == 1;
  if (is_bound && sysconf(_SC_NPROCESSORS_ONLN) > 1)
    complain("warning: rank 0 may use one core only; mpirun --bind-to none gives it all");
}

/// Returns rank 0's exit code; that of others is 0, because a launcher ends all after another one.
/// Finalizes unless a rank was lost, because that waits for all.
int run(const FleetJob& job) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (const std::string why = mismatch(size); !why.empty()) {
    complain(why);
    MPI_Abort(MPI_COMM_WORLD, exit_usage);
  }
  int largest[] = {is_taken(job) ? 1 : 0, static_cast<int>(job.limit.count())};
  MPI_Allreduce(MPI_IN_PLACE, largest, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  const auto [taken, limit_s] = largest;
  if (taken != 0) {
    if (rank == 0)
      complain(in_quotes(job.folder.string()) +
               " has results of an earlier run; give another folder or add --force");
    MPI_Finalize();
    return rank == 0 ? exit_usage : exit_ok;
  }
  if (rank == 0) warn_of_one_core();
  const int device = job.device == "local" ? local_device() : std::atoi(job.device.c_str());
  const auto end = steady_clock::now() + seconds(limit_s) + 2 * grace + delays;
  RankOutcome outcome = measure(job, rank, device);
  if (!outcome.why.empty()) {
    outcome.why = fmt::format("rank {}, {} GPU {}: {}", rank, node_name(), device, outcome.why);
  }
  bool complete = false;
  ExitCode code = exit_ok;
  if (rank == 0) {
    Collector collector(job, size);
    collector.add(0, outcome);
    complete = collector.receive(end);
    code = collector.merge();
    collector.release(complete);
  } else {
    complete = report(job, rank, outcome, end + merging);
  }
  if (!complete) MPI_Abort(MPI_COMM_WORLD, rank == 0 ? code : exit_wrong);
  MPI_Finalize();
  return code;
}

}  // namespace
}  // namespace trilane

int main(int argc, char** argv) {
  using namespace trilane;
  constexpr int own_words = 5;
  if (argc < own_words) {
    complain("it starts this program itself");
    return exit_usage;
  }
  std::signal(SIGCHLD, SIG_DFL);
  setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0);  // the new process only starts another program
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);  // a lost rank ends no other
  try {
    return run(
        {argv[1], argv[2], seconds(std::atoi(argv[3])), argv[4], {argv + own_words, argv + argc}});
  } catch (const std::exception& error) {
    complain(error.what());
    MPI_Abort(MPI_COMM_WORLD, exit_unexpected);
  }
}
