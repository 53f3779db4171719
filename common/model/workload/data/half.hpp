// 16-bit floating-point numbers on the host.
#pragma once

namespace trilane {

__extension__ using Half = _Float16;

}  // namespace trilane
