// The options as Boost.Program_options describes them, for the parser and the help.
#pragma once

#include <boost/program_options/options_description.hpp>

namespace trilane {

/// Every value is text, because Boost reads "-1" as a large unsigned number, and cannot read sizes.
/// `simulated` adds the options of programs with the simulated device.
boost::program_options::options_description option_table(bool simulated);

}  // namespace trilane
