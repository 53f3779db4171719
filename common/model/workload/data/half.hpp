// Numbers of 16 bits on the host.
#pragma once

namespace trilane {

__extension__ using Half = _Float16;

}  // namespace trilane
