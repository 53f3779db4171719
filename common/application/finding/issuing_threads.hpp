// The threads that issue an application's calls: whose calls are the iteration, and whether threads
// take turns.
#pragma once

#include "common/application/finding/iteration_finder.hpp"

namespace trilane {

/// Numbers the threads by their first calls and decides whose calls count.
class IssuingThreads {
 public:
  /// `wanted`: the only thread whose calls count, from 1; 0: those of each do.
  explicit IssuingThreads(std::uint32_t wanted) : wanted_(wanted) {}

  /// Takes a call of the thread. Returns true if it counts.
  bool counts(std::uint64_t thread);
  /// Ignores all other threads, or none, from now on. Does nothing if one is wanted.
  void follow(std::uint64_t thread);
  void follow_all() { follow(0); }
  /// Notes that the calls of all repeat in their common order, in which they overlap.
  void repeat_together() { repeat_together_ = true; }
  /// Must be called if the only thread needs others: follows all from now on. Returns false if that
  /// does not help.
  bool join();

  bool is_wanted() const { return wanted_ != 0; }
  /// Returns true if another may be chosen as the only one.
  bool may_part() const { return !is_wanted() && !joined_ && seen() > 1; }
  /// Returns the only thread whose calls count; 0: those of each do.
  std::uint64_t only() const { return only_; }
  /// Returns the thread's number, from 1; 0: it has made no call.
  std::uint32_t number_of(std::uint64_t thread) const;
  /// Returns its number, from 1, or 0.
  std::uint32_t only_number() const { return number_of(only_); }
  /// Returns the number of threads that have made calls.
  std::uint32_t seen() const { return static_cast<std::uint32_t>(threads_.size()); }
  /// Returns the number of threads that were ignored since another began to be followed.
  std::uint32_t ignored() const {
    return static_cast<std::uint32_t>(std::ranges::count(ignored_, true, &Ignored::any));
  }
  /// Takes the iteration's calls, which begin at `first`: ignored ones are compared with them.
  void found(const CallStore& store, std::uint64_t first);
  /// Takes a call that counts() has just ignored.
  void compare(const ObservedCall& call);
  /// Returns how many of the ignored threads have made calls of the iteration's work, and no other.
  std::uint32_t alike() const {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(ignored_, [](const Ignored& one) { return one.same && !one.other; }));
  }
  /// Returns the number of ignored calls since the latest that counted.
  std::uint64_t ignored_in_a_row() const { return in_a_row_; }

 private:
  const std::uint32_t wanted_;
  std::vector<std::uint64_t> threads_;
  struct Ignored {
    bool any = false;                  ///< of its calls
    bool same = false, other = false;  ///< of them of the iteration's work, and of other work
  };
  std::vector<Ignored> ignored_;  ///< by thread
  std::set<std::uint64_t> work_;
  std::uint64_t only_ = 0, latest_ = 0, in_a_row_ = 0;
  std::uint32_t latest_number_ = 0;
  bool repeat_together_ = false, joined_ = false;
};

/// Returns true if threads take turns: each call comes from the same thread in all repetitions, and
/// calls of two threads overlap only if neither waits, and one stream's begin as they end.
bool take_turns(const CallStore& store, const Repetitions& repetitions);

/// Returns the thread that made all calls from `first` on; absent if there are several.
std::optional<std::uint64_t> sole_thread(const CallStore& store, std::uint64_t first);

/// The reason to follow one among several threads.
enum class Parting : std::uint8_t {
  long_search,    ///< none if the calls of all repeat in their common order
  broken_order,   ///< by the latest call; none unless its thread's own calls go on
  another_order,  ///< the common order is no turns, or nothing is known
};

/// Returns the thread with the most calls among those whose latest calls repeat once the others'
/// are left out, and include a wait; absent without a reason, if one thread makes all calls, or
/// none repeats. Checks the last 8,192 calls, and takes some milliseconds.
std::optional<std::uint64_t> thread_that_repeats(const CallStore& calls,
                                                 const IterationFinder& finder,
                                                 std::uint64_t repetitions, Parting reason);

}  // namespace trilane
