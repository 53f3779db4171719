#include "common/model/workload/file/fields.hpp"

#include "common/base/json/json_values.hpp"

namespace trilane {

namespace json = boost::json;

namespace {

const ObjectKind buffer_kind{"a buffer", R"({"type": "float", "count": "n"})", buffer_keys};
const ObjectKind fill_kind{
    "a fill", R"("random", {"pattern": [1, 2]} or {"file": "in.raw"})", {"pattern", "file"}};

std::vector<double> pattern_in(const json::value& value, Element element) {
  const auto* array = value.if_array();
  if (!array || array->empty() || array->size() > most_pattern) {
    misfit(fmt::format("\"pattern\" must be an array of 1 to {} numbers, not {}", most_pattern,
                       array ? fmt::format("of {}", array->size()) : shown_value(value)));
  }
  std::vector<double> pattern;
  within_each(*array, [&](const json::value& number) {
    const Argument constant = constant_in(number, element);
    // Patterns are stored as double, which represents all whole numbers up to 2^53.
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto whole = static_cast<std::int64_t>(constant.whole);
    if (whole < -most || whole > most) {
      misfit(
          fmt::format("{} does not fit in a pattern, whose numbers are at most 2^53; take the "
                      "content from a {{\"file\": \"in.raw\"}}",
                      shown_value(number)));
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
      misfit(fmt::format("\"tolerance\" contradicts \"check\": \"{}\"; leave one out",
                         name_of(buffer.check)));
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
  fields.require("type", "\"float\"", [&](const json::value& type) {
    buffer.element = enumerator_in<Element>(type, "a type");
  });
  fields.require("count", "\"n\"", [&](const json::value& count) {
    buffer.count = expression_in(count, "\"count\"");
  });
  fields.read("fill", [&](const json::value& fill) { read_fill(fill, buffer); });
  read_check(fields, buffer);
  return buffer;
}

}  // namespace

std::vector<BufferSpec> buffers_in(const json::value& value) {
  const auto* object = value.if_object();
  if (!object || object->empty()) {
    misfit(
        fmt::format("\"buffers\" must be an object with a buffer at least, such as {{\"image\": "
                    "{}}}, not {}",
                    buffer_kind.example, object ? "an empty one" : shown_value(value)));
  }
  if (object->size() > most_buffers) {
    misfit(
        fmt::format("\"buffers\" has {} buffers and may have at most {}; use parts of fewer, "
                    "larger buffers",
                    object->size(), most_buffers));
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
