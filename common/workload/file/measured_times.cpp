#include "common/workload/file/measured_times.hpp"

#include <fmt/format.h>

#include <ranges>
#include <stdexcept>

#include "common/json/document.hpp"
#include "common/workload/file/places.hpp"

namespace trilane {
namespace {

/// A part of the text and what replaces it.
struct Change {
  TextSpan span;
  std::string text;
};

Change change_of(const boost::json::object& stage, const std::string& place, const Places& places,
                 double us) {
  const std::string number = fmt::format("{:.4g}", us);
  if (stage.contains("time_us")) return {places.span_of(place + step("time_us")), number};
  const std::string_view last_key = (stage.end() - 1)->key();
  const std::size_t last = places.span_of(place + step(last_key)).end;
  return {{last, last}, ", \"time_us\": " + number};
}

}  // namespace

std::string with_times(const std::string& text, const std::vector<double>& us) {
  const boost::json::value document = parsed(text);
  const Places places(text);
  std::vector<Change> changes;
  const boost::json::array& stages = document.at("stages").as_array();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const boost::json::object& stage = stages[i].as_object();
    if (!stage.contains("kernel")) continue;
    if (changes.size() == us.size()) throw std::invalid_argument("more kernels than times");
    const std::string place = step("stages") + step(i);
    changes.push_back(change_of(stage, place, places, us[changes.size()]));
  }
  if (changes.size() != us.size()) throw std::invalid_argument("more times than kernels");
  std::string result = text;
  // From the end, so that the places before stay right.
  for (const auto& [span, replacement] : std::views::reverse(changes)) {
    result.replace(span.begin, span.end - span.begin, replacement);
  }
  return result;
}

}  // namespace trilane
