// Finds the runtime calls that a run makes for its variants: the places of faults.
#pragma once

#include "common/model/variant/variant.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

/// A phase in the life of a variant.
enum class Part { set_up, pass, tear_down };

const char* name_of(Part part);

struct FaultPlace {
  std::uint64_t call = 0;  ///< its number, as in Fault
  std::string name;        ///< of the runtime function
  std::string variant;
  Part part = Part::set_up;
};

/// While an instance exists, registered variants behave as usual. Those made for the workload of
/// that name also note their calls, so that no border has to be guessed from the names of calls.
class WatchedVariants {
 public:
  /// `at_border` is called before and after every set-up, submit and tear-down.
  WatchedVariants(std::string workload, std::function<void()> at_border);
  ~WatchedVariants();
  WatchedVariants(const WatchedVariants&) = delete;
  WatchedVariants& operator=(const WatchedVariants&) = delete;

  /// Must be called after the run, while its machine still exists. Returns every call of each
  /// variant's first set-up, of the first three passes after it and of its tear-down, in order.
  /// Besides the variant's own calls these are the wait at the end of a pass, and the bench's calls
  /// around the destructor.
  std::vector<FaultPlace> places() const;

 private:
  friend class WatchedVariant;
  /// Calls first + 1 to last.
  struct Stretch {
    std::uint64_t first, last;
    std::string variant;
    Part part;
  };
  static Stretch whole(Stretch stretch);

  std::string workload_;
  std::function<void()> at_border_;
  std::vector<VariantEntry> originals_;
  std::vector<Stretch> stretches_;
  std::set<std::string> made_;  // variants by name: later set-ups of them are not noted
};

}  // namespace trilane::simulator
