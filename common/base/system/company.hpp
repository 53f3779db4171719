// Lets processes work at the same time: each waits for the others before a step, and learns whether
// they are still at it.
#pragma once

#include "common/base/system/lock.hpp"
#include "common/std.hpp"

namespace trilane {

/// The members of a company, by number: processes, or threads of one. Its memory is shared with the
/// processes that inherit the file. Steps are numbered from 1, in ascending order, alike in all.
///
/// In each step a member calls begin(), timed(), done(), waits until all_done(), and asks
/// all_took_part(). Each statement implies those before it and is final. A member that fails or is
/// interrupted goes straight to done(step, false), and one that ends leaves. Nobody waits for them.
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
  /// Says that this member has timed its turn.
  void timed(std::uint64_t step) { reach(3 * step + 1); }
  /// Returns true while another member has not timed its turn.
  bool others_work(std::uint64_t step) const { return !all_at(3 * step + 1); }
  /// Says that this member has done the step, and whether it worked until all had timed it. Only
  /// the first call for a step counts.
  void done(std::uint64_t step, bool took_part = true);
  bool all_done(std::uint64_t step) const { return all_at(3 * step + 2); }
  /// Returns true if every member took part in the step. Call it when all are done, and before the
  /// next step.
  bool all_took_part(std::uint64_t step) const;
  /// Says that a member has left: no one waits for it any more.
  void leaves(std::uint32_t number);

 private:
  struct Shared;

  bool all_at(std::uint64_t place) const;
  void reach(std::uint64_t place);

  const std::uint32_t members_, number_;
  OpenFile file_;
  Shared* shared_ = nullptr;
};

}  // namespace trilane
