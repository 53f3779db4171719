#include "common/base/json/pretty_json.hpp"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

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
    bool first = true;
    for (const auto& entry : entries) {
      if (!first) text_ += one_line ? ", " : ",";
      first = false;
      text_ += line;
      print_entry(entry);
    }
    if (!one_line) text_ += '\n' + std::string(indent, ' ');
    text_ += close;
  }

  const OneLine one_line_;
  std::string text_;
};

}  // namespace

std::string pretty(const json::value& value, OneLine one_line) {
  Printer printer(one_line);
  printer.print(value, 0);
  return printer.take();
}

double to_nanoseconds(double us) { return std::round(us * 1000) / 1000; }

}  // namespace trilane
