// The options as Boost.Program_options describes them: read by the parser and printed as help.
#pragma once

#include <boost/program_options/options_description.hpp>

namespace trilane {

/// Every value is described as text: Boost reads "-1" as a large unsigned number, and no sizes.
/// `simulated` adds the options that only a program with the simulated device has.
boost::program_options::options_description option_table(bool simulated);

}  // namespace trilane
