#include "common/measure/ask/conclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/base/text/words.hpp"

namespace trilane {

std::optional<bool> decided(bool yes, bool no) {
  if (yes) return true;
  if (no) return false;
  return std::nullopt;
}

Conclusion& Conclusion::add(const std::string& name, std::optional<bool> answer,
                            const std::string& figures) {
  cases_[name] = answer;
  figures_.push_back(figures);
  return *this;
}

Conclusion& Conclusion::add(std::optional<bool> answer, const std::string& figures) {
  return add("", answer, figures);
}

Conclusion& Conclusion::note(const std::string& figures) {
  figures_.push_back(figures);
  return *this;
}

Finding Conclusion::finding() const {
  const auto all = [&](std::optional<bool> answer) {
    return std::ranges::all_of(cases_, [&](const auto& one) { return one.second == answer; });
  };
  if (cases_.empty() || std::ranges::any_of(cases_, [](const auto& one) { return !one.second; })) {
    return Finding::undecided;
  }
  return all(true) ? Finding::yes : all(false) ? Finding::no : Finding::depends;
}

std::string Conclusion::sentence() const {
  const std::string figures = fmt::format("{}.", fmt::join(figures_, "; "));
  if (finding() != Finding::depends) return figures;
  std::vector<std::string> yes, no;
  for (const auto& [name, answer] : cases_) (*answer ? yes : no).push_back(name);
  return fmt::format("yes for {}, no for {}: {}", listed(yes), listed(no), figures);
}

}  // namespace trilane
