// The conclusion that an experiment's readings support.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/ask/reply.hpp"

namespace trilane {

/// Returns yes, no, or nothing if neither holds and the readings leave the question open.
std::optional<bool> decided(bool yes, bool no);

/// The answer, case by case; most questions have one case.
class Conclusion {
 public:
  /// Adds a case: yes, no, or nothing if the readings do not tell. `figures` supports the answer:
  /// "cudaFree takes 2 ms beside a kernel of 2 ms, 40 us alone".
  Conclusion& add(const std::string& name, std::optional<bool> answer, const std::string& figures);

  /// Adds the only case.
  Conclusion& add(std::optional<bool> answer, const std::string& figures);

  /// Adds figures that decide nothing.
  Conclusion& note(const std::string& figures);

  /// Returns undecided if any case is; yes or no if all cases agree; otherwise depends.
  Finding finding() const;
  /// Returns the figures, preceded by the differing cases if the answer depends on them.
  std::string sentence() const;
  /// Returns the answers by case.
  const std::map<std::string, std::optional<bool>>& cases() const { return cases_; }

 private:
  std::map<std::string, std::optional<bool>> cases_;
  std::vector<std::string> figures_;
};

}  // namespace trilane
