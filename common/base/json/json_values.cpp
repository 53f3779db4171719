#include "common/base/json/json_values.hpp"

#include <boost/json/serialize.hpp>

#include "common/base/json/misfit.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

class Printer {
 public:
  explicit Printer(OneLine one_line) : one_line_(one_line) {}

  void print(const json::value& value, std::size_t indent) {
    if (const auto* number = value.if_double()) {
      print_number(*number);
    } else if (const auto* array = value.if_array()) {
      print_entries('[', *array, ']', fits_one_line(value), indent,
                    [&](const json::value& entry) { print(entry, indent + 2); });
    } else if (const auto* object = value.if_object()) {
      print_entries('{', *object, '}', fits_one_line(value), indent, [&](const auto& entry) {
        text_ += json::serialize(entry.key()) + ": ";
        print(entry.value(), indent + 2);
      });
    } else {
      text_ += json::serialize(value);
    }
  }

  std::string take() { return std::move(text_) + '\n'; }

 private:
  bool is_plain(const json::value& value) const {
    return value.is_number() || value.is_bool() ||
           (one_line_ == OneLine::texts && value.is_string());
  }

  bool fits_one_line(const json::value& value) const {
    constexpr std::size_t short_line = 2000;
    if (one_line_ == OneLine::texts && json::serialize(value).size() <= short_line) return true;
    const auto plain = [this](const json::value& entry) { return is_plain(entry); };
    if (const auto* array = value.if_array()) return std::ranges::all_of(*array, plain);
    return std::ranges::all_of(value.get_object(),
                               [&](const auto& entry) { return plain(entry.value()); });
  }

  void print_number(double number) {
    if (!std::isfinite(number)) {
      throw std::invalid_argument(fmt::format("JSON cannot hold the number {}", number));
    }
    // Adding zero turns -0 into 0: "-0" would be read back as an integer without its sign.
    fmt::format_to(std::back_inserter(text_), "{:.15g}", number + 0.0);
  }

  template <typename Container, typename PrintEntry>
  void print_entries(char open, const Container& entries, char close, bool one_line,
                     std::size_t indent, PrintEntry print_entry) {
    const std::string line = one_line ? "" : '\n' + std::string(indent + 2, ' ');
    text_ += open;
    const char* comma = "";
    for (const auto& entry : entries) {
      text_ += std::exchange(comma, one_line ? ", " : ",") + line;
      print_entry(entry);
    }
    if (!one_line) text_ += '\n' + std::string(indent, ' ');
    text_ += close;
  }

  const OneLine one_line_;
  std::string text_;
};

void require_printable(std::string_view text) {
  const std::size_t bytes = printable_bytes(text);
  if (bytes == text.size()) return;
  misfit("has a control character in byte {}: {}", bytes, printable(text, 60));
}

}  // namespace

std::string shown_value(const json::value& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_double()) return fmt::format("{}", value.get_double());
  constexpr std::size_t most = 60;
  // JSON's own escapes leave some control characters.
  return printable(json::serialize(value), most);
}

void misfit(const std::string& what, const json::value& value) {
  misfit(what + ": " + shown_value(value));
}

const json::object& object_in(const json::value& value) {
  if (const auto* object = value.if_object()) return *object;
  misfit("is not an object", value);
}

const json::array& array_in(const json::value& value) {
  if (const auto* array = value.if_array()) return *array;
  misfit("is not an array", value);
}

bool truth_in(const json::value& value) {
  if (const auto* flag = value.if_bool()) return *flag;
  misfit("is neither true nor false", value);
}

double number_in(const json::value& value) {
  boost::system::error_code error;
  const auto number = value.to_number<double>(error);
  if (error) misfit("is not a number", value);
  if (!std::isfinite(number)) misfit("is too large for a number", value);
  return number;
}

std::string text_in(const json::value& value) {
  const auto* const text = value.if_string();
  if (!text) misfit("is not a string", value);
  require_printable(*text);
  return std::string(*text);
}

void require_in(double number, const Range& range) {
  if (number >= range.least && number <= range.most) return;
  misfit("is {} and must be from {} to {}", number, range.least, range.most);
}

void require_length(std::string_view text, const Range& range) {
  if (static_cast<double>(text.size()) <= range.most) return;
  misfit("has {} bytes and may have at most {}", text.size(), range.most);
}

std::string name_in(std::string_view key) {
  within(key, [&] {
    require_printable(key);
    require_length(key, name_range);
  });
  return std::string(key);
}

json::string readable(std::string_view text, const Range& range) {
  return json::string(printable(text, static_cast<std::size_t>(range.most)));
}

const json::value& ObjectReader::at(std::string_view key) {
  keys_.push_back(key);
  if (const json::value* value = object_.if_contains(key)) return *value;
  throw Misfit{step(key), "is missing"};
}

void ObjectReader::finish() const {
  for (const auto& [key, _] : object_) {
    if (!includes(keys_, std::string_view(key))) {
      throw Misfit{step(std::string_view(key)), "is not known"};
    }
  }
}

std::string pretty(const json::value& value, OneLine one_line) {
  Printer printer(one_line);
  printer.print(value, 0);
  return printer.take();
}

double to_nanoseconds(double us) { return std::round(us * 1000) / 1000; }

}  // namespace trilane
