#include "common/model/workload/file/fields.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include "common/base/json/json_values.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/pipeline/element.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {

namespace json = boost::json;

namespace {

/// Words for dependencies on other chunks.
constexpr const char* dependent[] = {"halo",      "overlap",  "prev",  "next",   "depend",
                                     "neighbour", "neighbor", "ghost", "border", "stencil"};

void require_independent(std::string_view key) {
  const std::string lower = boost::to_lower_copy(std::string(key));
  if (std::ranges::none_of(dependent, [&](const char* word) { return lower.starts_with(word); })) {
    return;
  }
  throw Misfit{
      step(key),
      as_written(key) +
          " is not possible: chunks are independent by definition; copy what a chunk needs of its "
          "neighbours into its own buffers, and order the stages of a chunk with \"after\""};
}

/// Returns true if the value is a number without a fraction. `whole` then holds it, or its bits.
bool is_whole_in(const json::value& value, Element element, std::int64_t& whole) {
  if (const auto* number = value.if_uint64()) {
    whole = static_cast<std::int64_t>(*number);
    return *number <= most_whole(element);
  }
  if (const auto* number = value.if_int64()) {
    whole = *number;
    return *number >= least_whole(element) &&
           (*number < 0 || static_cast<std::uint64_t>(*number) <= most_whole(element));
  }
  const auto* number = value.if_double();
  // Beyond 2^53 a double does not represent every whole number: the file's number may be another.
  if (!number || std::trunc(*number) != *number || std::abs(*number) > 0x1p53) return false;
  return is_whole_in(json::value(static_cast<std::int64_t>(*number)), element, whole);
}

const ObjectKind buffer_kind{"a buffer", R"({"type": "float", "count": "n"})", buffer_keys};
const ObjectKind fill_kind{
    "a fill", R"("random", {"pattern": [1, 2]} or {"file": "in.raw"})", {"pattern", "file"}};

std::vector<double> pattern_in(const json::value& value, Element element) {
  const auto* array = value.if_array();
  if (!array || array->empty() || array->size() > most_pattern) {
    misfit("\"pattern\" must be an array of 1 to {} numbers, not {}", most_pattern,
           array ? fmt::format("of {}", array->size()) : shown_value(value));
  }
  std::vector<double> pattern;
  within_each(*array, [&](const json::value& number) {
    const Argument constant = constant_in(number, element);
    // Patterns are stored as double, which represents all whole numbers up to 2^53.
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto whole = static_cast<std::int64_t>(constant.whole);
    if (whole < -most || whole > most) {
      misfit(
          "{} does not fit in a pattern, whose numbers are at most 2^53; take the content from a "
          "{{\"file\": \"in.raw\"}}",
          shown_value(number));
    }
    pattern.push_back(is_floating(element) ? constant.value : static_cast<double>(whole));
  });
  return pattern;
}

void read_fill(const json::value& value, BufferSpec& buffer) {
  if (value.is_string()) {
    position_in(value, "a fill", {name_of(Fill::random)});
    return;
  }
  const Fields fields(value, fill_kind);
  if (fields.has("pattern") == fields.has("file")) {
    misfit(
        "a fill has either \"pattern\" or \"file\"; write {\"pattern\": [1, 2]} or {\"file\": "
        "\"in.raw\"}");
  }
  fields.read("pattern", [&](const json::value& pattern) {
    buffer.fill = Fill::pattern;
    buffer.pattern = pattern_in(pattern, buffer.element);
  });
  fields.read("file", [&](const json::value& file) {
    buffer.fill = Fill::file;
    buffer.fill_file = name_of_length(file, "\"file\"", most_long_name);
  });
}

void read_check(const Fields& fields, BufferSpec& buffer) {
  fields.read("check", [&](const json::value& check) {
    const bool none = position_in(check, "a check", {"exact", "none"}) == 1;
    buffer.check = none ? Check::none : Check::exact;
  });
  fields.read("tolerance", [&](const json::value& tolerance) {
    if (fields.has("check")) {
      misfit("\"tolerance\" contradicts \"check\": \"{}\"; leave one out", name_of(buffer.check));
    }
    buffer.check = Check::tolerance;
    buffer.tolerance = number_between(tolerance, "\"tolerance\"", 0, 1);
    if (buffer.tolerance == 0) {
      misfit("\"tolerance\" is 0; leave it out, which checks that every byte is the same");
    }
  });
  fields.read("reference", [&](const json::value& reference) {
    if (buffer.check == Check::none) {
      misfit("\"reference\" contradicts \"check\": \"none\"; leave one out");
    }
    buffer.reference = name_of_length(reference, "\"reference\"", most_long_name);
  });
}

BufferSpec buffer_of(std::string_view name, const json::value& value) {
  BufferSpec buffer;
  buffer.name = name_of_length(json::value(name), "the name of a buffer", most_name);
  const Fields fields(value, buffer_kind);
  fields.set_required(buffer.element, "type", "\"float\"", enumerator_in<Element>, "a type");
  fields.set_required(buffer.count, "count", "\"n\"", expression_in, "\"count\"");
  fields.read("fill", [&](const json::value& fill) { read_fill(fill, buffer); });
  read_check(fields, buffer);
  return buffer;
}

}  // namespace

Fields::Fields(const json::value& value, const ObjectKind& kind)
    : object_(value.is_object() ? value.get_object()
                                : (misfit("{} is an object, not {}; write {}", kind.what,
                                          shown_value(value), kind.example),
                                   object_in(value))),
      what_(kind.what) {
  for (const auto& [key, _] : object_) {
    const std::string_view name = key;
    if (includes(kind.keys, name)) continue;
    require_independent(name);
    within(name, [&] { refuse_unknown(name, fmt::format("a key of {}", kind.what), kind.keys); });
  }
}

const json::value& Fields::at(const char* key, const char* sample) const {
  if (const json::value* value = object_.if_contains(key)) return *value;
  misfit("{} needs \"{}\"; write for instance \"{}\": {}", what_, key, key, sample);
}

std::uint64_t whole_between(const json::value& value, std::string_view what, std::uint64_t least,
                            std::uint64_t most) {
  std::int64_t whole = 0;
  if (is_whole_in(value, Element::uint64, whole)) {
    const auto number = static_cast<std::uint64_t>(whole);
    if (number >= least && number <= most) return number;
  }
  misfit("{} must be a whole number from {} to {}, not {}", what, least, most, shown_value(value));
}

double number_between(const json::value& value, std::string_view what, double least, double most) {
  boost::system::error_code error;
  const auto number = value.to_number<double>(error);
  if (!error && number >= least && number <= most) return number;
  misfit("{} must be a number from {} to {}, not {}", what, least, most, shown_value(value));
}

std::string name_of_length(const json::value& value, std::string_view what, std::size_t most) {
  const auto* text = value.if_string();
  if (text && !text->empty() && text->size() <= most && printable_bytes(*text) == text->size()) {
    return std::string(*text);
  }
  misfit("{} must be a text of 1 to {} printable characters, not {}", what, most,
         shown_value(value));
}

std::string expression_in(const json::value& value, std::string_view what) {
  std::int64_t whole = 0;
  if (is_whole_in(value, Element::uint64, whole)) {
    return std::to_string(static_cast<std::uint64_t>(whole));
  }
  if (const auto* text = value.if_string()) return std::string(*text);
  misfit("{} must be a whole number or an expression such as \"n / 256\", not {}", what,
         shown_value(value));
}

void refuse_unknown(std::string_view word, const std::string& what,
                    const std::vector<std::string>& known) {
  const std::string meant = closest(word, known);
  const std::vector<std::string> quoted = transformed(known, as_written);
  misfit("{} is not {}; {}", as_written(word), what,
         meant.empty()
             ? known.empty() ? "there is none" : fmt::format("use {}", fmt::join(quoted, ", "))
             : "did you mean " + as_written(meant) + "?");
}

std::size_t position_in(const json::value& value, const std::string& what,
                        const std::vector<std::string>& known) {
  const auto* text = value.if_string();
  const auto found = text ? std::ranges::find(known, std::string_view(*text)) : known.end();
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  if (text) refuse_unknown(*text, what, known);
  misfit("{} is not {}; write its name in quotes", shown_value(value), what);
}

Argument constant_in(const boost::json::value& value, Element element) {
  Argument argument;
  argument.element = element;
  if (is_floating(element)) {
    // Above the largest float, because it is often written rounded up: 3.4028235e38.
    const double most = most_floating(element) * (element == Element::float32 ? 1 + 0x1p-26 : 1);
    boost::system::error_code error;
    argument.value = value.to_number<double>(error);
    if (error || std::abs(argument.value) > most) {
      misfit("a value of type {} must be a number from {:g} to {:g}, not {}", name_of(element),
             -most, most, shown_value(value));
    }
    return argument;
  }
  std::int64_t whole = 0;
  if (!is_whole_in(value, element, whole)) {
    misfit("a value of type {} must be a whole number from {} to {}, not {}", name_of(element),
           least_whole(element), most_whole(element), shown_value(value));
  }
  argument.whole = static_cast<std::uint64_t>(whole);
  return argument;
}

std::vector<BufferSpec> buffers_in(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->empty()) {
    misfit(
        "\"buffers\" must be an object with a buffer at least, such as {{\"image\": {}}}, not {}",
        buffer_kind.example, object ? "an empty one" : shown_value(value));
  }
  if (object->size() > most_buffers) {
    misfit("\"buffers\" has {} buffers and may have at most {}; use parts of fewer, larger buffers",
           object->size(), most_buffers);
  }
  std::vector<BufferSpec> buffers;
  for (const auto& [key, buffer] : *object) {
    const std::string_view name = key;
    within(name, [&] { buffers.push_back(buffer_of(name, buffer)); });
  }
  return buffers;
}

std::uint32_t buffer_in(const json::value& value, const std::vector<BufferSpec>& buffers) {
  const std::vector<std::string> names = transformed(buffers, &BufferSpec::name);
  return static_cast<std::uint32_t>(position_in(value, "a buffer", names));
}

}  // namespace trilane
