#include "common/commands/command_files.hpp"

namespace trilane {

const std::vector<Command>& commands(bool simulated) {
  static const std::vector<Command> all{
      run_command(),       sweep_command(),    show_command(),       report_command(),
      compare_command(),   ask_command(),      loop_command(),       diagnose_command(),
      aa_command(),        pipeline_command(), plan_command(),       list_command(),
      calibrate_command(), validate_command(), completion_command(), man_command()};
  static const std::vector<Command> for_a_gpu = [] {
    std::vector<Command> some = all;
    std::erase_if(some, [](const Command& c) { return c.programs == Programs::simulated; });
    return some;
  }();
  return simulated ? all : for_a_gpu;
}

}  // namespace trilane
