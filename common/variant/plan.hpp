// What a variant says it will do, known without constructing it, and how that is held against
// what the runtime reports that it did.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "common/workload/workload.hpp"

namespace trilane {

/// A name and a number: a runtime function and how often it is called, a fact and its value.
struct Count {
  std::string name;
  std::uint64_t value = 0;
  bool operator==(const Count&) const = default;
};

/// The value of the count called `name`; 0 without one.
std::uint64_t count_of(const std::vector<Count>& counts, const std::string& name);

/// What evidence() must read back.
struct Expectation {
  std::string name;
  std::uint64_t value = 0;
  bool at_least = false;  ///< otherwise exactly `value`
  bool operator==(const Expectation&) const = default;
};

/// What one variant takes for one workload.
struct Plan {
  std::vector<Count> calls;        ///< runtime functions that one submit calls, by name
  std::vector<Count> nodes;        ///< nodes of the graph by kind, its roots and edges; empty: none
  std::vector<Expectation> facts;  ///< what evidence() must read from the runtime
  std::uint64_t scratch_bytes = 0;  ///< device memory for chunks, without what pools round up to
  std::uint32_t streams = 0;        ///< streams that the variant makes
  std::uint32_t host_threads = 0;   ///< host threads that it makes
  bool blocks = false;              ///< submit waits for the device
  bool needs_pools = false;         ///< needs cudaDevAttrMemoryPoolsSupported
  bool maps_host = false;  ///< kernels read and write host memory: not where it is pageable
  bool operator==(const Plan&) const = default;
};

/// Several lists of facts as one.
std::vector<Count> together(std::initializer_list<std::vector<Count>> lists);

/// Every expectation that the evidence misses, in words; empty when all hold.
std::vector<std::string> mismatches(const std::vector<Expectation>& expected,
                                    const std::vector<Count>& evidence);

}  // namespace trilane
