// How the host waits for the device.
#pragma once

namespace trilane {

/// cudaDeviceScheduleSpin, cudaDeviceScheduleYield, cudaDeviceScheduleBlockingSync.
enum class Wait { spin, yield, block };

}  // namespace trilane
