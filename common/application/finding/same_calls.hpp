// Checks that successive calls are those of a known iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {

/// Compares fingerprints without kinds of memory, which may be unknown for one side.
class SameCalls {
 public:
  explicit SameCalls(std::span<const ObservedCall> known);

  /// Takes the next call. Returns true if it equals the next one of the known iteration.
  bool next(const ObservedCall& call);
  /// Returns the driver's function expected next; 0: none exists.
  std::uint32_t expected_function() const;

 private:
  struct Known {
    std::uint32_t function;
    std::uint64_t fingerprint;
  };

  std::vector<Known> known_;
  CallFingerprints fingerprints_;
  std::size_t next_ = 0;
};

}  // namespace trilane
