// The main function of every program: parses, dispatches, and prints one line for an error.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "common/base/console/console.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/commands/ending.hpp"
#include "common/commands/options/help.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/model/variant/variant.hpp"

using namespace trilane;

namespace {

/// Must be called first. Turns a failed write into an error: otherwise SIGPIPE or SIGXFSZ would end
/// the program before it has written its other outputs. Opens closed ones of the three streams so
/// that writing to them fails, because the next opened file would take their place.
void secure_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() returns the lowest free number, which is this one.
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDONLY);
  }
}

bool any_of(std::span<const char* const> arguments, std::string_view one, std::string_view other) {
  const auto end = std::ranges::find(arguments, std::string_view("--"));
  return std::any_of(arguments.begin(), end,
                     [&](std::string_view word) { return word == one || word == other; });
}

int run(const std::string& program, std::span<const char* const> arguments) {
  const Caller caller{.name = program,
                      .variants = names_of(registry()),
                      .simulated = !simulated_profile().empty(),
                      .line = command_line(program, arguments)};
  if (any_of(arguments, "--version", "-V")) {
    return Console().finish(version_text(program));
  }
  if (any_of(arguments, "--help", "-h")) {
    return Console().finish(help_text(arguments, caller));
  }
  const CommandLine line = read_command_line(arguments, caller);
  return line.command->run(line.given, caller);
}

}  // namespace

int main(int argc, char** argv) {
  secure_standard_streams();
  std::signal(SIGCHLD, SIG_DFL);  // if it were ignored, nobody would learn how a process ended
  exit_on_signals();
  const std::string program = argc > 0 ? std::filesystem::path(argv[0]).filename() : "trilane";
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  try {
    return run(program, words.subspan(argc > 0 ? 1 : 0));
  } catch (...) {
    const Ending ending = ending_of(std::current_exception());
    if (!ending.message.empty()) give_last_message(program, ending.message);
    return ending.code;
  }
}
