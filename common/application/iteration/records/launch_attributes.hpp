// How a kernel is launched, beside its geometry.
#pragma once

#include <boost/describe/class.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace trilane {

/// The attributes that a program gives to a launch. What it does not give keeps its first value.
struct LaunchAttributes {
  bool cooperative = false;
  /// It may begin before the kernel in front of it in its stream is done.
  bool programmatic = false;
  std::vector<std::uint32_t> cluster{};    ///< blocks in each dimension: three numbers, or none
  std::optional<std::int32_t> priority{};  ///< in place of the stream's
  std::uint32_t others = 0;                ///< further ones that a graph's node keeps
  std::uint32_t unknown = 0;               ///< those that the recorder does not know
  auto operator<=>(const LaunchAttributes&) const = default;
};
BOOST_DESCRIBE_STRUCT(LaunchAttributes, (),
                      (cooperative, programmatic, cluster, priority, others, unknown))

/// Throws a Misfit unless a cluster has three numbers above 0.
void cross_check(const LaunchAttributes& attributes);

}  // namespace trilane
