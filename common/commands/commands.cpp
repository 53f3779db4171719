#include "common/commands/command_files.hpp"

namespace trilane {

const std::vector<Command>& commands(bool simulated) {
  static const std::vector<Command> all{run_command(),    sweep_command(),      show_command(),
                                        report_command(), compare_command(),    ask_command(),
                                        loop_command(),   record_command(),     diagnose_command(),
                                        aa_command(),     pipeline_command(),   plan_command(),
                                        list_command(),   calibrate_command(),  validate_command(),
                                        schema_command(), completion_command(), man_command()};
  const auto without = [](Programs others) {
    std::vector<Command> some = all;
    std::erase_if(some, [&](const Command& command) { return command.programs == others; });
    return some;
  };
  static const std::vector<Command> for_a_gpu = without(Programs::simulated);
  static const std::vector<Command> for_the_simulated = without(Programs::gpu);
  return simulated ? for_the_simulated : for_a_gpu;
}

}  // namespace trilane
