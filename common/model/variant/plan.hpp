// The operations of a variant, known without constructing it, to compare with the runtime's report.
#pragma once

#include "common/model/variant/model.hpp"

namespace trilane {

/// A name and a number: a runtime function and its calls, a fact and its value.
struct Count {
  std::string name;
  std::uint64_t value = 0;
};
BOOST_DESCRIBE_STRUCT(Count, (), (name, value))
constexpr auto entry_key(const Count&) { return &Count::name; }
using Facts = std::vector<Count>;

/// A fact that evidence() must return.
struct Expectation {
  std::string name;
  std::uint64_t value = 0;
  bool at_least = false;  ///< otherwise exactly `value`
};
BOOST_DESCRIBE_STRUCT(Expectation, (), (name, value, at_least))
constexpr auto entry_key(const Expectation&) { return &Expectation::name; }

/// The needs and operations of a variant for one workload.
struct Plan {
  Model model;                      ///< the execution model
  std::vector<Count> calls;         ///< runtime functions that one submit calls, by name
  std::vector<Count> nodes;         ///< nodes of the graph by kind, its roots and edges
  std::vector<Expectation> facts;   ///< what evidence() must read from the runtime
  std::uint64_t scratch_bytes = 0;  ///< device memory for chunks, before pools round it up
  std::uint32_t streams = 0;        ///< streams that the variant creates
  std::uint32_t host_threads = 0;   ///< host threads that it creates
  bool blocks = false;              ///< submit waits for the device
  bool needs_pools = false;         ///< needs cudaDevAttrMemoryPoolsSupported
  bool maps_host = false;           ///< kernels access host memory, which must not be pageable
  /// Iterations of an application in one pass, which is one graph; absent: one.
  std::optional<std::uint32_t> iterations{};
};
BOOST_DESCRIBE_STRUCT(Plan, (),
                      (model, calls, nodes, facts, scratch_bytes, streams, host_threads, blocks,
                       needs_pools, maps_host, iterations))

/// Returns the number of runtime calls of one submit.
std::uint64_t total_calls(const Plan& plan);

/// Returns the number of times one submit calls the runtime function `name`.
std::uint64_t calls_of(const Plan& plan, const std::string& name);

/// Concatenates lists of facts.
std::vector<Count> together(std::initializer_list<std::vector<Count>> lists);

/// Returns the facts of both lists; values with the same name are added.
std::vector<Count> added_up(std::vector<Count> facts, const std::vector<Count>& more);

/// Returns every expectation that the evidence does not meet, in words.
std::vector<std::string> mismatches(const std::vector<Expectation>& expected,
                                    const std::vector<Count>& evidence);

}  // namespace trilane
