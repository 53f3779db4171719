#include "common/commands/options/option_rows.hpp"

namespace trilane {

OptionGroup knob_group() {
  return {"The workload; by default 16 chunks of 1 MiB, 4 lanes, 1 kernel of 1 round",
          {option::size, option::chunks, option::chunk_size, option::result_size, option::stride,
           option::lanes, option::depth, option::rounds, option::kernel_time, option::order}};
}

OptionGroup simulation_group(bool runs_variants) {
  OptionGroup group{"The simulated device", {option::profile, option::fault}};
  if (runs_variants) group.rows.insert(group.rows.begin(), option::check);
  return group;
}

}  // namespace trilane
