// What the readings of an experiment say to its question.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/measure/ask/reply.hpp"

namespace trilane {

/// Yes, no, or nothing where neither holds: the readings do not tell.
std::optional<bool> decided(bool yes, bool no);

/// The answer, case by case; most questions have one case.
class Conclusion {
 public:
  /// Adds a case: yes, no, or nothing if the readings do not tell. `figures` is what shows it:
  /// "cudaFree takes 2 ms beside a kernel of 2 ms, 40 us alone".
  Conclusion& add(const std::string& name, std::optional<bool> answer, const std::string& figures);

  /// Adds the only case.
  Conclusion& add(std::optional<bool> answer, const std::string& figures);

  /// Adds figures that decide nothing.
  Conclusion& note(const std::string& figures);

  /// Undecided if any case is; yes or no if all are; otherwise it depends.
  Finding finding() const;
  /// The figures, and where it depends on which cases.
  std::string sentence() const;
  /// The answers by case.
  const std::map<std::string, std::optional<bool>>& cases() const { return cases_; }

 private:
  std::map<std::string, std::optional<bool>> cases_;
  std::vector<std::string> figures_;
};

}  // namespace trilane
