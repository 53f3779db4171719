// Adds times up by use.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/application/iteration/records/time_use.hpp"

namespace trilane {

class Shares {
 public:
  void add(TimeUse use, const std::string& name, double us) {
    NamedCost& cost = costs_[{use, name}];
    ++cost.count;
    cost.us += us;
  }

  /// Returns the shares by use, longest first, as are the names of each. Shares are relative to
  /// `whole_us`.
  std::vector<TimeShare> sorted(double whole_us) const;

 private:
  std::map<std::pair<TimeUse, std::string>, NamedCost> costs_;
};

}  // namespace trilane
