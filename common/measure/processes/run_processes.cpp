#include "common/measure/processes/run_processes.hpp"

#include <unistd.h>

#include "common/base/console/console.hpp"
#include "common/base/json/document.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

constexpr const char *place_variable = "TRILANE_PLACE_IN_RUN",
                     *company_variable = "TRILANE_COMPANY";

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
    throw OutputError("TMPDIR {}: cannot make a folder ({}); set it to another one",
                      in_quotes(asked ? asked : parent.string()), failure.code().message());
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
    std::exception_ptr first;
    for (std::size_t member = 0; member < children_.size(); ++member) {
      try {
        pass_on(member, listener);
      } catch (const ProcessFailed&) {
        if (!first) first = std::current_exception();
      }
    }
    if (first) std::rethrow_exception(first);
  }

 private:
  fs::path json(std::size_t member) const { return folder_ / fmt::format("{}.json", member); }
  fs::path errors(std::size_t member) const { return folder_ / fmt::format("{}.errors", member); }

  /// Throws ProcessFailed, except without results after an interrupt.
  void pass_on(std::size_t member, const ProcessListener& listener) {
    const ProcessEnd end = *children_[member]->ended();
    const int code = end.shell_code();
    const auto failed = [&](const char* left) {
      const bool known = ended_by_itself(code) && code != exit_ok;
      throw ProcessFailed(fmt::format("process {} of {} {} and left {}: {}", first_ + member + 1,
                                      all_, ending_of(code), left, last_line(end, errors(member))),
                          known ? static_cast<ExitCode>(code) : exit_wrong);
    };
    std::error_code none;
    if (fs::exists(json(member), none)) {
      const std::string text = content_of_input(json(member));
      fs::remove(json(member), none);
      const bool whole = ended_by_itself(code);
      listener.ended(first_ + member, text, whole ? static_cast<ExitCode>(code) : exit_wrong);
      if (!whole) failed("part of its results");
      return;
    }
    if (!interrupted()) failed("no results");
  }

  const std::size_t first_, all_;
  const fs::path& folder_;
  std::unique_ptr<Company> company_;
  std::vector<std::unique_ptr<Process>> children_;
};

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
  ChildEnd end{.code = ended.shell_code()};
  std::ifstream file(fs::exists(message) ? message : errors);
  for (std::string line; std::getline(file, line);) {
    if (!end.message.empty()) end.message += '\n';
    end.message += printable(line);
  }
  return end;
}

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

}  // namespace trilane
