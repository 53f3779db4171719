// Describes how a kernel is launched, besides its geometry.
#pragma once

#include <boost/describe/class.hpp>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace trilane {

/// The attributes that a program gives to a launch; those not given keep their initial values.
struct LaunchAttributes {
  bool cooperative = false;
  /// It may begin before the previous kernel in its stream is done.
  bool programmatic = false;
  std::vector<std::uint32_t> cluster{};    ///< blocks in each dimension: three numbers, or none
  std::optional<std::int32_t> priority{};  ///< overrides the stream's
  std::uint32_t others = 0;                ///< others that a graph's node keeps
  std::uint32_t unknown = 0;               ///< ones unknown to the recorder
  auto operator<=>(const LaunchAttributes&) const = default;
};
BOOST_DESCRIBE_STRUCT(LaunchAttributes, (),
                      (cooperative, programmatic, cluster, priority, others, unknown))

/// Throws a Misfit unless a cluster has three numbers above 0.
void cross_check(const LaunchAttributes& attributes);

}  // namespace trilane
