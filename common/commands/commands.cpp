#include "common/commands/command_files.hpp"

namespace trilane {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      run_command(),       sweep_command(),    show_command(),       report_command(),
      compare_command(),   aa_command(),       plan_command(),       list_command(),
      calibrate_command(), validate_command(), completion_command(), man_command()};
  return all;
}

}  // namespace trilane
