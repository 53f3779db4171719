// The host's ways of waiting for the device.
#pragma once

#include "common/base/text/enumerators.hpp"

namespace trilane {

enum class Wait { spin, yield, block };
BOOST_DESCRIBE_ENUM(Wait, spin, yield, block)

}  // namespace trilane
