#include "common/model/workload/file/measured_times.hpp"

#include "common/base/json/document.hpp"
#include "common/model/workload/file/places.hpp"

namespace trilane {
namespace {

struct Change {
  TextSpan span;
  std::string text;
};

Change change_of(const boost::json::object& kernel, const std::string& place, const Places& places,
                 double us) {
  const std::string number = fmt::format("{:.4g}", us);
  if (kernel.contains("time_us")) return {places.span_of(place + step("time_us")), number};
  const std::string_view last_key = (kernel.end() - 1)->key();
  const std::size_t last = places.span_of(place + step(last_key)).end;
  return {{last, last}, ", \"time_us\": " + number};
}

}  // namespace

std::string with_times(const std::string& text, const KernelTimes& times) {
  const boost::json::value document = parsed(text);
  const Places places(text);
  std::vector<Change> changes;
  const boost::json::array& stages = document.at("stages").as_array();
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const boost::json::object& stage = stages[i].as_object();
    if (!stage.contains("kernel")) continue;
    if (changes.size() == times.stages.size()) {
      throw std::invalid_argument("more kernels than times");
    }
    const std::string place = step("stages") + step(i);
    changes.push_back(change_of(stage, place, places, times.stages[changes.size()]));
  }
  if (changes.size() != times.stages.size()) throw std::invalid_argument("more times than kernels");
  const boost::json::value* const fused = document.as_object().if_contains("fused");
  if ((fused != nullptr) != times.fused.has_value()) {
    throw std::invalid_argument("a fused kernel without a time, or a time without one");
  }
  if (fused) changes.push_back(change_of(fused->as_object(), step("fused"), places, *times.fused));
  std::string result = text;
  // From the end, so that earlier places stay valid; "fused" may precede the stages.
  std::ranges::sort(changes, std::greater{},
                    [](const Change& change) { return change.span.begin; });
  for (const auto& [span, replacement] : changes) {
    result.replace(span.begin, span.end - span.begin, replacement);
  }
  return result;
}

}  // namespace trilane
