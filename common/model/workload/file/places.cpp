#include "common/model/workload/file/pipeline_file.hpp"

#include <boost/json/parse.hpp>

#include "common/base/json/document.hpp"

namespace trilane {
namespace {

constexpr const char* space = " \t\r\n";

/// Walks through text that is known to be JSON, of limited depth, so it checks nothing.
class Walk {
 public:
  Walk(std::string_view text, std::map<std::string, TextSpan, std::less<>>& spans)
      : text_(text), spans_(spans) {}

  void value(const std::string& place) {
    const std::size_t begin = skip_space();
    switch (text_[begin]) {
      case '{': object(place); break;
      case '[': array(place); break;
      case '"': string(); break;
      default: at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
    }
    spans_.insert_or_assign(place, TextSpan{begin, at_});
  }

 private:
  std::size_t skip_space() { return at_ = text_.find_first_not_of(space, at_); }

  std::string_view string() {
    const std::size_t begin = at_++;
    while (text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void object(const std::string& place) {
    for (++at_; text_[skip_space()] != '}';) {
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      const boost::json::value key = boost::json::parse(string());
      at_ = text_.find(':', at_) + 1;
      value(place + step(std::string_view(key.get_string())));
    }
    ++at_;
  }

  void array(const std::string& place) {
    std::size_t index = 0;
    for (++at_; text_[skip_space()] != ']';) {
      if (text_[at_] == ',') {
        ++at_;
      } else {
        value(place + step(index++));
      }
    }
    ++at_;
  }

  const std::string_view text_;
  std::map<std::string, TextSpan, std::less<>>& spans_;
  std::size_t at_ = 0;
};

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

Places::Places(const std::string& text) : text_(text) { Walk(text, spans_).value(""); }

std::size_t Places::line_of(std::string_view place) const {
  auto found = spans_.find(place);
  while (found == spans_.end()) {
    place = place.substr(0, place.find_last_of(".["));
    found = spans_.find(place);
  }
  return line_of_byte(text_, found->second.begin);
}

std::size_t line_of_byte(std::string_view text, std::size_t byte) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, byte), '\n'));
}

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
