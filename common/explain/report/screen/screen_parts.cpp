#include "common/explain/report/screen/screen_parts.hpp"

#include <algorithm>

#include "common/base/text/layout.hpp"
#include "common/model/results/groups.hpp"

namespace trilane {

std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all) {
  constexpr std::size_t widest = 30;
  return clipped(label_among(comparison, all), widest);
}

std::size_t lines_beside_label(const std::string& text) {
  return lines_of({LabelledText{"CUT SHORT", text}});
}

LabelledText limited(const std::string& label, const std::string& text, std::size_t lines) {
  LabelledText part{label, text};
  for (std::size_t width = lines * screen_width;
       lines_beside_label(part.text) > lines && width > 10; width -= 5) {
    part.text = clipped(text, width);
  }
  return part;
}

std::size_t lines_of(const Page& page) {
  const std::string text = as_text(page);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace trilane
