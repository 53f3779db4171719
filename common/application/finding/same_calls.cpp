#include "common/application/finding/same_calls.hpp"

namespace trilane {
namespace {

std::uint64_t fingerprint_in(CallFingerprints& fingerprints, const ObservedCall& call) {
  const auto unknown = [](std::uint64_t) { return MemoryKind::unknown; };
  if (call.graph) fingerprints.learn(*call.graph, unknown);
  return fingerprints.of(call, unknown);
}

}  // namespace

SameCalls::SameCalls(std::span<const ObservedCall> known) {
  CallFingerprints fingerprints;
  for (const ObservedCall& call : known) {
    known_.push_back({call.function, fingerprint_in(fingerprints, call)});
  }
}

bool SameCalls::next(const ObservedCall& call) {
  const std::size_t number = next_++;
  return number < known_.size() &&
         known_[number].fingerprint == fingerprint_in(fingerprints_, call);
}

std::uint32_t SameCalls::expected_function() const {
  return next_ < known_.size() ? known_[next_].function : 0;
}

}  // namespace trilane
