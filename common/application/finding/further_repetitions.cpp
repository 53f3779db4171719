// Adds repetitions that are not among those of a digest.
#include <algorithm>
#include <utility>

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/finding/digest.hpp"
#include "common/application/finding/kernel_words.hpp"

namespace trilane {

namespace {

/// The kinds of variation are in ascending order.
void at_least(Variation& variation, Variation other) { variation = std::max(variation, other); }

void differs(Variation& variation) {
  if (variation == Variation::constant) variation = Variation::changes;
}

void compare_arguments(std::vector<Variation>& arguments, const ObservedLaunch& latest,
                       const ObservedLaunch& other, const HandleFacts& facts) {
  const std::vector<ParameterPlace>& places = facts.kernel(latest.function).parameters;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto value = i < places.size() ? parameter_value(places[i], other) : std::nullopt;
    if (!value || value != parameter_value(places[i], latest)) differs(arguments[i]);
  }
}

/// Keeps values only of constant arguments, which have one value.
void keep_constant_values(Digest& digest) {
  std::erase_if(digest.data.values, [&](const RecordedValue& value) {
    return digest.recording.calls[value.call].arguments[value.parameter] != Variation::constant;
  });
}

}  // namespace

void add_repetition(Digest& digest, const ObservedIteration& other, const HandleFacts& facts) {
  for (std::size_t i = 0; i < std::min(digest.recording.calls.size(), other.calls.size()); ++i) {
    const ObservedCall& latest = digest.latest.calls[i];
    RecordedCall& call = digest.recording.calls[i];
    if (addresses_of(latest) != addresses_of(other.calls[i])) differs(call.pointers);
    if (call.kind != CallKind::kernel) continue;
    compare_arguments(call.arguments, latest.launch, other.calls[i].launch, facts);
  }
  keep_constant_values(digest);
}

void add_earlier(Digest& digest, const Digest& earlier, const HandleFacts& facts) {
  add_repetition(digest, earlier.latest, facts);
  for (std::size_t i = 0;
       i < std::min(digest.recording.calls.size(), earlier.recording.calls.size()); ++i) {
    RecordedCall& call = digest.recording.calls[i];
    at_least(call.pointers, earlier.recording.calls[i].pointers);
    const std::vector<Variation>& before = earlier.recording.calls[i].arguments;
    for (std::size_t j = 0; j < call.arguments.size(); ++j) {
      at_least(call.arguments[j], j < before.size() ? before[j] : Variation::changes);
    }
  }
  keep_constant_values(digest);
}

namespace {

/// Returns true if the values follow that cycle, from any place in it.
bool go_round(std::span<const std::uint64_t> values, std::span<const std::uint64_t> turn) {
  for (std::size_t place = 0; place < turn.size(); ++place) {
    std::size_t same = 0;
    while (same < values.size() && values[same] == turn[(place + same) % turn.size()]) ++same;
    if (same == values.size()) return true;
  }
  return false;
}

}  // namespace

Variation variation_of(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> later) {
  if (later.size() > values.size()) std::swap(values, later);
  if (values.empty()) return Variation::constant;
  const std::size_t most = std::max<std::size_t>(1, values.size() / 2);
  for (std::size_t length = 1; length <= most; ++length) {
    const auto turn = values.first(length);
    if (!go_round(values, turn) || !go_round(later, turn)) continue;
    return length == 1 ? Variation::constant : Variation::alternates;
  }
  return Variation::changes;
}

}  // namespace trilane
