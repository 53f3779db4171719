// Repeats the whole measuring run on the simulated device, each time with another fault.
#pragma once

#include <sys/wait.h>

#include "common/commands/options/run_options.hpp"
#include "common/commands/runs.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/base/folder.hpp"
#include "tests/device/simulator/faults/fault_places.hpp"
#include "tests/device/simulator/faults/redirected.hpp"

namespace trilane::simulator {

/// A variant's entry in the results file.
struct Fate {
  std::string variant;
  Status status = Status::not_run;
  std::string message;
  bool measured = false;  ///< there are samples, and a summary of them
};

/// The end of a run.
struct Ending {
  std::string broken;  ///< why it did not get to its end: a signal, a hang, an exception
  int exit_code = 0;
  bool first_intact = false;        ///< the file has the same first workload as without a fault
  std::vector<Fate> first, second;  ///< the variants on the two workloads
  std::string stopped;              ///< Comparison::stopped of the second
  std::string err;                  ///< standard error, from the fault on
  std::string faulted;              ///< name of the call that failed
  cudaError_t then = cudaSuccess;   ///< what a call after the run returns
  std::size_t captures = 0;         ///< still under way
  std::vector<std::string> leaks;   ///< Machine::leaks()
};

namespace fs = std::filesystem;

inline Workload cut_down(Workload workload) {
  constexpr std::uint64_t chunks = 2, chunk_bytes = 256;
  workload.modified = true;
  workload.bytes = chunks * chunk_bytes;
  workload.chunk_bytes = workload.result_bytes = chunk_bytes;
  workload.lanes = 2;
  workload.depth = workload.rounds = 1;
  return workload;
}

/// Returns what the file holds between the context, which has times of day, and the second
/// workload.
inline std::string first_comparison(const std::string& json, const std::string& second_workload) {
  const std::size_t begin = json.find("\"comparisons\"");
  const std::size_t end = json.find("\"name\": \"" + second_workload + "\"", begin);
  return json.substr(begin, end - begin);
}

inline std::vector<Fate> fates_of(const Comparison& comparison) {
  std::vector<Fate> fates;
  for (const Measurement& m : comparison.measurements) {
    fates.push_back({m.variant, m.status, m.message, !m.samples.empty() && m.wall.has_value()});
  }
  return fates;
}

/// Returns how a run of measure() ends, with the machine's state.
inline Ending measured(const RunOptions& options) {
  Ending ending;
  try {
    ending.exit_code = measure(options, "faults");
  } catch (const std::exception& error) {
    ending.broken = error.what();
  }
  const Machine& m = machine();
  if (m.settings.fault) ending.faulted = m.calls.at(m.settings.fault->call - 1);
  ending.captures = m.captures.size();
  ending.leaks = m.leaks();
  ending.then = cudaDeviceSynchronize();
  return ending;
}

inline constexpr unsigned patience_s =
    60;  // after which a child counts as hanging; it needs milliseconds

/// Boost.Test would take a crash for its own and go on with the next test, in the child.
inline void die_of_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
}

inline std::string line(std::istream& in) {
  std::string text;
  std::getline(in, text);
  return text;
}

/// A run that forks: the child continues with something changed, and the parent learns how that
/// ended.
class ChildRun {
 public:
  /// `file` is where the child leaves its ending.
  explicit ChildRun(std::string file) : file_(std::move(file)) {}

  /// Forks. Returns true in the child, which must go on and call end(). The parent waits for that
  /// and gets false.
  bool fork() {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) {
      die_of_signals();
      alarm(patience_s);
      err_.emplace(STDERR_FILENO);
      return true;
    }
    while (waitpid(child, &status_, 0) < 0 && errno == EINTR) continue;
    return false;
  }

  bool is_child() const { return err_.has_value(); }

  /// Called in the child: hands the ending over, except what the results file holds, and does not
  /// return.
  [[noreturn]] void end(const Ending& ending) const {
    {
      std::ofstream out(file_);
      out << ending.broken << '\n'
          << ending.exit_code << '\n'
          << ending.faulted << '\n'
          << static_cast<int>(ending.then) << '\n'
          << ending.captures << '\n'
          << ending.leaks.size() << '\n';
      for (const std::string& leak : ending.leaks) out << leak << '\n';
      out << err_->text();
    }
    _exit(0);
  }

  /// Called in the parent: returns how the last child ended.
  Ending ending() const {
    Ending ending;
    if (WIFSIGNALED(status_)) {
      const int signal = WTERMSIG(status_);
      ending.broken = signal == SIGALRM ? fmt::format("hung for {} s", patience_s)
                                        : fmt::format("crashed: {}", strsignal(signal));
      return ending;
    }
    if (WEXITSTATUS(status_) != 0) {
      ending.broken = fmt::format("exited with {}", WEXITSTATUS(status_));
      return ending;
    }
    std::ifstream in(file_);
    ending.broken = line(in);
    ending.exit_code = std::stoi(line(in));
    ending.faulted = line(in);
    ending.then = static_cast<cudaError_t>(std::stoi(line(in)));
    ending.captures = std::stoul(line(in));
    ending.leaks.resize(std::stoul(line(in)));
    for (std::string& leak : ending.leaks) leak = line(in);
    ending.err.assign(std::istreambuf_iterator<char>(in), {});
    return ending;
  }

 private:
  std::string file_;
  int status_ = 0;
  std::optional<Redirected> err_;  // from the fork on
};

/// Returns the variants without host threads of their own, in groups of three: one to fail, and two
/// that must not suffer from it. A forked child process has none of its parent's threads.
inline std::vector<std::vector<VariantEntry>> groups_of_variants() {
  constexpr std::size_t size = 3;
  std::vector<std::vector<VariantEntry>> groups;
  for (const VariantEntry& entry : registry()) {
    if (entry.plan(presets().front()).host_threads > 0) continue;
    if (groups.empty() || groups.back().size() == size) groups.emplace_back();
    groups.back().push_back(entry);
  }
  return groups;
}

/// Runs measure(), which is all that main does, with two presets cut down to two tiny chunks on two
/// lanes. Runs these variants, the fewest rounds possible, and a results file in a temporary
/// folder. While an instance exists, the registry has no other variants.
class FaultedRuns {
 public:
  /// Makes the run without a fault, the reference for all others. Faults will be put into calls of
  /// that part.
  FaultedRuns(Part part, std::vector<VariantEntry> variants)
      : all_variants_(std::exchange(registry(), std::move(variants))) {
    // A disk would be waited for whenever a file is replaced, which is several times in each run.
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    std::string name =
        (in_memory ? "/dev/shm" : fs::temp_directory_path()) / fs::path("trilane-faults-XXXXXX");
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    options_.workloads = {cut_down(presets().front()), cut_down(presets().back())};
    for (const VariantEntry& entry : registry()) options_.comparison.variants.push_back(entry.name);
    options_.comparison.reference = registry().front().name;
    options_.outputs.json = folder_ + "/results.json";
    options_.outputs.force = true;
    // The harness runs passes for a fixed time before it measures, and measures until the time is
    // up. Here a wait takes longer than the first, and the fewest rounds fill the second.
    settings_.profile = built_in_profile();
    settings_.profile.calls_us["cudaStreamSynchronize"] = 60'000;
    options_.comparison.seconds = 1.06 * static_cast<double>(registry().size());
    // Each variant is torn down when all have been measured.
    options_.comparison.renewing_share = 0;

    const WatchedVariants watched(options_.workloads.back().name,
                                  [this] { borders_.push_back(machine().calls.size()); });
    sound_ = run();
    read_results(sound_);
    places_ = watched.places();
    std::erase_if(places_, [&](const FaultPlace& place) { return place.part != part; });
  }
  ~FaultedRuns() {
    std::error_code none;
    fs::remove_all(folder_, none);
    registry() = all_variants_;
  }
  FaultedRuns(const FaultedRuns&) = delete;
  FaultedRuns& operator=(const FaultedRuns&) = delete;

  const Ending& sound() const { return sound_; }

  /// Returns the second workload's calls that get faults.
  const std::vector<FaultPlace>& places() const { return places_; }

  /// Makes a run for every place and each of its codes, in this order; `codes_of` takes the index
  /// of a place. All are the same up to the fault, so that part is run once; for each fault the
  /// process forks there, and the child continues.
  std::vector<Ending> with_faults(
      const std::function<std::vector<cudaError_t>(std::size_t)>& codes_of) {
    std::vector<Ending> endings;
    ChildRun child(folder_ + "/ending");
    auto place = places_.begin();
    const auto fork_for_each = [&] {
      const auto next = std::ranges::upper_bound(borders_, machine().calls.size());
      // After the last border comes what the bench does when a variant is gone.
      const auto comes_before_next = [&] { return next == borders_.end() || place->call <= *next; };
      for (; place != places_.end() && comes_before_next(); ++place) {
        for (const cudaError_t code : codes_of(static_cast<std::size_t>(place - places_.begin()))) {
          if (child.is_child()) return;
          if (child.fork()) {
            machine().settings.fault = Fault{place->call, code};
            return;
          }
          endings.push_back(child.ending());
          if (endings.back().broken.empty()) read_results(endings.back());
        }
      }
    };
    const WatchedVariants watched(options_.workloads.back().name, fork_for_each);
    const Ending ending = run();
    if (child.is_child()) child.end(ending);
    return endings;
  }

 private:
  /// Runs, and leaves the machine in its final state. Reads no results file.
  Ending run() {
    restart(settings_);
    const Redirected out(STDOUT_FILENO), err(STDERR_FILENO);
    Ending ending = measured(options_);
    ending.err = err.text();
    return ending;
  }
  void read_results(Ending& ending) {
    const std::string json = content_of_file(options_.outputs.json);
    const Results results = from_json(json);
    if (results.comparisons.size() != 2) return;
    ending.first = fates_of(results.comparisons[0]);
    ending.second = fates_of(results.comparisons[1]);
    ending.stopped = results.comparisons[1].stopped;
    const std::string first = first_comparison(json, options_.workloads.back().name);
    if (first_.empty()) first_ = first;
    ending.first_intact = first == first_;
  }

  std::vector<VariantEntry> all_variants_;
  std::string folder_;
  RunOptions options_;
  Settings settings_;
  Ending sound_;
  std::string first_;  // what the results file says of the first workload
  std::vector<FaultPlace> places_;
  std::vector<std::uint64_t> borders_;  // number of calls made at each
};

}  // namespace trilane::simulator
