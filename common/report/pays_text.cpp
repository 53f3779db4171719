#include <fmt/format.h>

#include "common/analysis/verdict/verdict.hpp"
#include "common/report/report_parts.hpp"

namespace trilane {

std::string pays_text(const BreakEven& break_even) {
  const bool at_first = break_even.pays == Pays::at_first;
  const auto text = [&](const std::optional<double>& passes) {
    return passes ? passes_text(*passes) : at_first ? "always" : "never";
  };
  std::string pays = (at_first ? "first " : "") + text(break_even.passes);
  if (break_even.pays == Pays::at_once) pays = "at once";
  const bool sure = break_even.low == break_even.high && break_even.low == break_even.passes;
  const bool in_words = break_even.pays == Pays::at_once || break_even.pays == Pays::never;
  if (in_words && sure) return pays;
  return fmt::format("{} [{}, {}]", pays, text(break_even.low), text(break_even.high));
}

}  // namespace trilane
