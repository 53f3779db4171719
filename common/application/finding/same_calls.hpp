// Whether calls are those of a known iteration, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {

/// Compares fingerprints without kinds of memory, which may not be known of both.
class SameCalls {
 public:
  explicit SameCalls(std::span<const ObservedCall> known);

  /// Takes the next call. Whether it is the same as in the known iteration, which has one.
  bool next(const ObservedCall& call);
  /// The driver's function that the next call is to be; 0: there is none.
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
