// The uses of time: on the host, on the device, and along the critical path.
#pragma once

#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

/// The work of the host, which is also why the device is idle meanwhile. The last six are
/// additional causes: they delay operations that the host has already issued.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    TimeUse, std::uint8_t,
    own_code,       ///< the application's own code, between two calls
    launching,      ///< calls that issue work and return
    waiting,        ///< calls that return when work is done, and queries
    allocating,     ///< calls that allocate or free
    blocking_copy,  ///< copies that the host waits for
    other_calls,
    launch_latency,  ///< from the call that issues an operation to its start
    stream_order,    ///< from the end of an operation to the start of the next in its stream
    event_order,     ///< the same for one in another stream, which waits by an event
    legacy_order,    ///< the same by the legacy stream's rule
    graph_order,     ///< the same for the next launch of the same executable graph
    host_function)   ///< until a host function before the operation has returned

/// The cost of all calls or operations with one name.
struct NamedCost {
  std::string name;
  std::uint64_t count = 0;
  double us = 0;
};
BOOST_DESCRIBE_STRUCT(NamedCost, (), (name, count, us))
TRILANE_RANGES(NamedCost, Within<&R::name>{text_range})

/// `calls` are sorted by cost, costliest first.
struct TimeShare {
  TimeUse use = TimeUse::own_code;
  double us = 0, share = 0;  ///< of the iteration
  std::uint64_t count = 0;   ///< calls, or segments of own code
  std::vector<NamedCost> calls{};
};
BOOST_DESCRIBE_STRUCT(TimeShare, (), (use, us, share, count, calls))
TRILANE_RANGES(TimeShare, Within<&R::share>{share_range})

/// The kind of a part of the critical path.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    PathKind, std::uint8_t, host_call, own_code,
    wait_return,  ///< from the end of what a call waits for to the call's return
    kernel, copy, memset, other_operation, launch_latency,
    order,   ///< from the end of an operation to the start of its successor
    engine,  ///< the same for an operation that only the busy engine holds up
    host_function)
constexpr const char* name_of(PathKind kind) {
  return kind == PathKind::wait_return ? "return from a wait" : words_of_name(kind);
}

/// The parts of the critical path that have one kind and name.
struct PathPart {
  PathKind kind = PathKind::own_code;
  std::string name;
  std::uint64_t count = 0;
  double us = 0, share = 0;  ///< of the path
  std::string place{};       ///< of the longest one's call; for own code, of the call after it
};
BOOST_DESCRIBE_STRUCT(PathPart, (), (kind, name, count, us, share, place))
TRILANE_RANGES(PathPart, Within<&R::name, &R::place>{text_range}, Within<&R::share>{share_range})

}  // namespace trilane
