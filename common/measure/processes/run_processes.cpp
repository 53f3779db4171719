#include "common/measure/processes/run_processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <system_error>

#include "common/base/console/interrupt.hpp"
#include "common/base/console/last_message.hpp"
#include "common/base/console/temporary.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/quoting.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/processes/merge.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

constexpr const char *place_variable = "TRILANE_PLACE_IN_RUN",
                     *company_variable = "TRILANE_COMPANY", *near_variable = "TRILANE_NEAR_GPU";

/// Makes a folder for the processes' files.
TemporaryFolder folder_for_files() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  try {
    if (error) throw std::system_error(error);
    remove_left_behind(parent);
    return TemporaryFolder(parent);
  } catch (const std::system_error& failure) {
    const char* const asked = std::getenv("TMPDIR");
    throw OutputError(fmt::format("TMPDIR {}: cannot make a folder ({}); set it to another one",
                                  in_quotes(asked ? asked : parent.string()),
                                  failure.code().message()));
  }
}

/// Returns the last line that a failed process wrote, or why it was not started.
std::string last_line(const ProcessEnd& end, const fs::path& errors) {
  if (end.start_error != 0) return std::strerror(end.start_error);
  std::ifstream file(errors);
  std::string last = "it printed no message";
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = printable(line);
  }
  return last;
}

/// Waits until all have ended. Polls rarely, because they are measuring. `ended` is called once for
/// each.
void finish(std::vector<std::unique_ptr<Process>>& children, const std::function<void()>& waiting,
            const std::function<void(std::size_t)>& ended) {
  constexpr useconds_t pause_us = 20'000;
  std::vector<bool> has_ended(children.size());
  bool passed_on = false;
  while (true) {
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (has_ended[i] || !children[i]->ended()) continue;
      has_ended[i] = true;
      ended(i);
    }
    if (std::ranges::count(has_ended, false) == 0) return;
    if (must_end()) throw Interrupted();
    if (interrupted() && !passed_on) {
      for (const auto& child : children) child->send(SIGINT);
      passed_on = true;
    }
    waiting();
    usleep(pause_us);
  }
}

/// Returns true if a process ended with one of this program's exit codes.
bool ended_by_itself(int code) {
  return (code >= exit_ok && code <= exit_unexpected) || code == exit_interrupted;
}

[[noreturn]] void fail(std::size_t index, std::size_t count, int code, const char* left,
                       const std::string& said) {
  const bool known = ended_by_itself(code) && code != exit_ok;
  throw ProcessFailed(fmt::format("process {} of {} {} and left {}: {}", index + 1, count,
                                  ending_of(code), left, said),
                      known ? static_cast<ExitCode>(code) : exit_wrong);
}

}  // namespace

ProcessStart own_program(const std::vector<std::string>& arguments, const fs::path& errors) {
  constexpr const char *itself = "/proc/self/exe", *nowhere = "/dev/null";
  std::error_code error;
  std::vector<std::string> words{fs::read_symlink(itself, error)};
  if (error) throw NotPossible("several processes need /proc: " + error.message());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {.words = std::move(words),
          .program = itself,
          .variables = {message_file_variable},  // which names this process's own
          .streams = {{{.path = nowhere}, {.path = nowhere}, {.path = errors}}},
          .own_group = true,
          .dies_with_parent = true};
}

std::size_t process_of(std::size_t index, std::size_t command_lines, std::size_t of) {
  return index * of / command_lines;
}

PlaceInRun place_in_run() {
  PlaceInRun place;
  const char* const text = std::getenv(place_variable);
  if (text && std::sscanf(text, "%u/%u", &place.process, &place.of) != 2) place = {};
  return place;
}

std::string ending_of(int code) {
  return code >= 128 && code != exit_interrupted ? fmt::format("was ended by signal {}", code - 128)
                                                 : fmt::format("ended with exit code {}", code);
}

ChildEnd run_child(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder = folder_for_files();
  const fs::path errors = folder.path() / "errors", message = folder.path() / "message";
  ProcessStart start = own_program(arguments, errors);
  start.variables = {fmt::format("{}={}", message_file_variable, message.string())};
  std::vector<std::unique_ptr<Process>> child;
  child.push_back(std::make_unique<Process>(start));
  finish(
      child, [] {}, [](std::size_t) {});
  const ProcessEnd ended = *child.front()->ended();
  if (interrupted()) throw Interrupted();
  if (ended.start_error != 0) return {ended.shell_code(), std::strerror(ended.start_error)};
  ChildEnd end{.code = ended.shell_code(), .message = {}};
  std::ifstream file(fs::exists(message) ? message : errors);
  for (std::string line; std::getline(file, line);) {
    if (!end.message.empty()) end.message += '\n';
    end.message += printable(line);
  }
  return end;
}

namespace {

/// The processes of a list that run at the same time.
class ParallelProcesses {
 public:
  ParallelProcesses(std::span<const ProcessLine> lines, std::size_t first, std::size_t all,
                    std::uint32_t of, const fs::path& folder)
      : first_(first), all_(all), folder_(folder) {
    const auto members = static_cast<std::uint32_t>(lines.size());
    if (members > 1) company_ = std::make_unique<Company>(members);
    for (std::uint32_t member = 0; member < members; ++member) {
      std::vector<std::string> arguments = lines[member].arguments;
      arguments.push_back("--json=" + json(member).string());
      ProcessStart start = own_program(arguments, errors(member));
      start.variables.push_back(
          fmt::format("{}={}/{}", place_variable, process_of(first + member, all, of), of));
      if (lines[member].near_gpu) start.variables.push_back(fmt::format("{}=1", near_variable));
      if (company_) {
        start.files = {company_->file()};
        start.variables.push_back(
            fmt::format("{}={},{},{}", company_variable, company_->file(), members, member));
      }
      children_.push_back(std::make_unique<Process>(start));
    }
  }

  void run(const ProcessListener& listener) {
    finish(
        children_, [&] { listener.waiting(first_); },
        [&](std::size_t member) {
          if (company_) company_->leaves(static_cast<std::uint32_t>(member));
        });
    // Results are told apart by their order, so none may follow one that is missing.
    for (std::size_t member = 0; member < children_.size(); ++member) {
      if (!pass_on(member, listener)) return;
    }
  }

 private:
  fs::path json(std::size_t member) const { return folder_ / fmt::format("{}.json", member); }
  fs::path errors(std::size_t member) const { return folder_ / fmt::format("{}.errors", member); }

  /// Returns false without results, after an interrupt. Throws ProcessFailed.
  bool pass_on(std::size_t member, const ProcessListener& listener) {
    const ProcessEnd end = *children_[member]->ended();
    const int code = end.shell_code();
    const auto failed = [&](const char* left) {
      fail(first_ + member, all_, code, left, last_line(end, errors(member)));
    };
    std::error_code none;
    if (fs::exists(json(member), none)) {
      const std::string text = content_of_input(json(member));
      fs::remove(json(member), none);
      const bool whole = ended_by_itself(code);
      listener.ended(text, whole ? static_cast<ExitCode>(code) : exit_wrong);
      if (!whole) failed("part of its results");
      return true;
    }
    if (!interrupted()) failed("no results");
    return false;
  }

  const std::size_t first_, all_;
  const fs::path& folder_;
  std::unique_ptr<Company> company_;
  std::vector<std::unique_ptr<Process>> children_;
};

}  // namespace

void run_processes(const std::vector<ProcessLine>& command_lines, std::uint32_t of,
                   const ProcessListener& listener) {
  const TemporaryFolder folder = folder_for_files();
  const std::span<const ProcessLine> lines = command_lines;
  for (std::size_t index = 0; index < lines.size() && !interrupted();) {
    const std::size_t members =
        std::clamp<std::size_t>(lines[index].together, 1, lines.size() - index);
    listener.started(index);
    ParallelProcesses(lines.subspan(index, members), index, lines.size(), of, folder.path())
        .run(listener);
    index += members;
  }
}

std::unique_ptr<Company> company_of_process() {
  const char* const text = std::getenv(company_variable);
  int file = -1;
  std::uint32_t members = 0, number = 0;
  if (!text || std::sscanf(text, "%d,%u,%u", &file, &members, &number) != 3) return nullptr;
  unsetenv(company_variable);  // not for its own children
  return std::make_unique<Company>(file, members, number);
}

bool stays_near_gpu() { return std::getenv(near_variable) != nullptr; }

std::vector<std::string> arguments_of(const Setting& setting) {
  std::string devices = std::to_string(setting.device);
  for (const int other : setting.others) devices += fmt::format(",{}", other);
  return {fmt::format("--host-memory={}", name_of(setting.host_memory)),
          fmt::format("--wait={}", name_of(setting.wait)), "--device=" + devices};
}

std::vector<std::string> line_of_process(std::vector<std::string> arguments, std::uint64_t seed,
                                         double seconds) {
  arguments.push_back(fmt::format("--seed={}", seed));
  arguments.push_back("--processes=1");
  arguments.push_back(fmt::format("--time={:.0f}us", std::max(1.0, seconds * 1e6)));
  return arguments;
}

std::vector<ProcessLine> command_lines(const ProcessRequest& request, std::uint64_t first_seed) {
  const bool near_gpu = std::ranges::any_of(
      request.settings, [](const Setting& setting) { return setting.together > 1; });
  std::vector<ProcessLine> lines;
  for (std::uint32_t process = 0; process < request.count; ++process) {
    for (const Setting& setting : request.settings) {
      std::vector<std::string> arguments = request.arguments;
      for (const std::string& argument : arguments_of(setting)) arguments.push_back(argument);
      lines.push_back({line_of_process(std::move(arguments), first_seed + process, request.seconds),
                       setting.together, near_gpu});
    }
  }
  return lines;
}

namespace {

Placement placement_of(const Setting& setting, const Context& context) {
  return {.device = static_cast<std::uint32_t>(setting.device),
          .gpu = value_of(context.gpu, "name"),
          .pci_bus_id = value_of(context.gpu, "pci_bus_id"),
          .beside = setting.together - 1};
}

}  // namespace

Results merged_by_setting(std::span<const Results> of_processes,
                          const std::vector<Setting>& settings) {
  const bool placed =
      std::ranges::any_of(settings, [](const Setting& setting) { return setting.together > 1; });
  std::vector<Results> by_setting;
  std::size_t workloads = 0;
  for (std::size_t i = 0; i < std::min(settings.size(), of_processes.size()); ++i) {
    std::vector<Results> all;
    for (std::size_t k = i; k < of_processes.size(); k += settings.size()) {
      all.push_back(of_processes[k]);
    }
    Results& one = by_setting.emplace_back(merged(all));
    workloads = std::max(workloads, one.comparisons.size());
    if (!placed) continue;
    for (Comparison& comparison : one.comparisons) {
      comparison.placement = placement_of(settings[i], one.context);
    }
  }
  Results results{
      .context = merged_context(by_setting), .answers = {}, .doubts = {}, .comparisons = {}};
  for (std::size_t i = 0; i < workloads; ++i) {
    for (const Results& one : by_setting) {
      if (i < one.comparisons.size()) results.comparisons.push_back(one.comparisons[i]);
    }
  }
  derive_answers(results);
  return results;
}

}  // namespace trilane
