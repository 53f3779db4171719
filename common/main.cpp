// The main of every program: parses, dispatches, and prints one line for an error.
#include <cstdio>
#include <filesystem>

#include "common/commands/commands.hpp"
#include "common/commands/help/overview.hpp"
#include "common/commands/unread.hpp"
#include "common/console/console.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/device.hpp"
#include "common/processes/run_processes.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"
#include "common/variant/variant.hpp"

using namespace trilane;

namespace {

int run(const std::string& program, std::span<const char* const> arguments) {
  const std::vector<std::string> variants = names_of(registry());
  const bool simulated = !simulated_profile().empty();
  const Options options = parse_options(arguments, variants, simulated);
  ensure_read(options);
  for (const std::string& line : unread_knobs(options)) {
    std::fprintf(stderr, "%s: warning: %s\n", program.c_str(), line.c_str());
  }
  switch (options.action) {
    case Action::help: Console().say(help_text(program, variants, simulated)); return exit_ok;
    case Action::version: Console().say(version_text(program)); return exit_ok;
    case Action::list: Console().say(list_text()); return exit_ok;
    case Action::dry_run: Console().say(dry_run_text(options)); return exit_ok;
    case Action::diff: return diff(options);
    case Action::calibrate:
    case Action::sweep:
    case Action::measure: break;
  }
  start_simulation({options.profile, options.fault, options.comparison.seed});
  if (options.action == Action::calibrate) return calibrate(options);
  const std::string line = command_line(program, arguments);
  if (options.action == Action::sweep) return sweep(options, line);
  if (options.processes.count > 1 || options.processes.settings.size() > 1) {
    return measure_in_processes(options, line);
  }
  return options.repeat > 0 ? repeat_aa(options, line) : measure(options, line);
}

int fail(const std::string& program, const std::exception& error, ExitCode code) {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string program = argc > 0 ? std::filesystem::path(argv[0]).filename() : "trilane";
  const std::span<const char* const> words(argv, static_cast<std::size_t>(argc));
  try {
    return run(program, words.subspan(argc > 0 ? 1 : 0));
  } catch (const UsageError& error) {
    return fail(program, error, exit_usage);
  } catch (const NoGpu& error) {
    return fail(program, error, exit_no_gpu);
  } catch (const NotPossible& error) {
    return fail(program, error, exit_not_possible);
  } catch (const OutputError& error) {
    return fail(program, error, exit_output);
  } catch (const ProcessFailed& error) {
    return fail(program, error, error.code);
  } catch (const std::exception& error) {
    return fail(program, error, exit_wrong);
  }
}
