// Lets processes work at the same time: each waits for the others before a step, and learns whether
// they are still at it.
#pragma once

#include "common/base/system/lock.hpp"
#include "common/std.hpp"

namespace trilane {

/// The processes of a company, by number. Its memory is shared with the processes that inherit the
/// file. Steps are numbered by the caller, in ascending order, alike in all processes.
class Company {
 public:
  static constexpr std::uint32_t most = 64;

  /// Makes a company of that many processes, at most `most`. Throws std::system_error.
  explicit Company(std::uint32_t members);
  /// Joins the company of another process, as the member `number`. Throws std::system_error.
  Company(int file, std::uint32_t members, std::uint32_t number);
  Company(const Company&) = delete;
  Company& operator=(const Company&) = delete;
  ~Company();

  int file() const { return file_.get(); }

  /// Waits until every member has reached this step, or a later one, or has left. `wait` is called
  /// meanwhile; an exception of it ends the waiting.
  void begin(std::uint64_t step, const std::function<void()>& wait);
  /// Says that this member has completed the step, and whether it took part in it. A second call
  /// for a step changes nothing.
  void complete(std::uint64_t step, bool took_part = true);
  /// Returns true while another member has not completed the step and has not left.
  bool others_work(std::uint64_t step) const;
  /// Returns true if every member took part in the step, and none has left. Call it when the others
  /// do not work any more, and before the next step.
  bool all_took_part(std::uint64_t step) const;
  /// Says that a member has left: no one waits for it any more.
  void leaves(std::uint32_t number);

 private:
  struct Shared;

  bool all_at(std::uint64_t place) const;

  const std::uint32_t members_, number_;
  OpenFile file_;
  Shared* shared_ = nullptr;
};

}  // namespace trilane
