// Collects races; those between similar operations count as one.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "common/application/iteration/order/accesses.hpp"
#include "common/application/iteration/records/race_record.hpp"

namespace trilane {

class RaceGroups {
 public:
  explicit RaceGroups(const ApplicationRecording& recording);

  void add(const UnorderedPair& race);

  /// Returns certain races first, then the more frequent. Omits races with the next iteration if
  /// similar operations race within one.
  std::vector<RecordedRace> all() const;

 private:
  using SideKey = std::tuple<CallKind, std::uint32_t, std::uint32_t, Use, bool>;
  struct Key {
    bool certain, next_iteration;
    std::uint32_t memory;
    SideKey first, second;
    auto operator<=>(const Key&) const = default;
  };

  const RecordedCall& call_at(std::size_t place) const;
  SideKey key_of(const RecordedAccess& access) const;
  Key key_of(const UnorderedPair& pair) const;
  RaceSide side(const RecordedAccess& access) const;
  RecordedRace race_of(const UnorderedPair& pair, const Key& key) const;
  bool is_told(Key key) const;

  const ApplicationRecording& recording_;
  bool other_orders_;  ///< calls may order work in an unknown way
  std::map<Key, RecordedRace> groups_;
};

}  // namespace trilane
