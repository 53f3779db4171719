#include "common/model/workload/pipeline/expression.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

std::string_view word_of(std::string_view text) {
  return text.substr(
      0, static_cast<std::size_t>(std::ranges::find_if_not(text, continues_name) - text.begin()));
}

constexpr const char* known_parts =
    "expressions have whole numbers, names, + - * / % ( ), ceil(a / b), min(a, b) and max(a, b)";

/// Evaluates while it reads, by recursive descent.
class Reader {
 public:
  Reader(const std::string& text, std::span<const NamedValue> names) : text_(text), names_(names) {}

  std::uint64_t whole() {
    if (text_.size() > most_expression_bytes) {
      fail(fmt::format("has {} bytes and may have at most {}; name parts of it in \"sizes\"",
                       text_.size(), most_expression_bytes));
    }
    if (ended()) fail("is empty; write a number or an expression such as \"n / 256\"");
    const std::uint64_t value = sum();
    if (!ended()) unexpected();
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw UsageError(as_written(text_) + " " + why);
  }

  [[noreturn]] void fail_with_values(const char* what, const std::string& remedy) const {
    fail(fmt::format("{}{}; {}", what, with_values(text_.substr(0, place_), names_), remedy));
  }

  char next() {
    while (place_ < text_.size() && text_[place_] == ' ') ++place_;
    return place_ < text_.size() ? text_[place_] : '\0';
  }

  bool ended() {
    next();
    return place_ == text_.size();
  }

  bool accept(char c) {
    if (ended() || text_[place_] != c) return false;
    ++place_;
    return true;
  }

  [[noreturn]] void unexpected() {
    if (ended()) fail("ends where a number or a name must follow");
    const std::string_view rest = std::string_view(text_).substr(place_);
    const std::size_t length = std::max({word_of(rest).size(), printable_character(rest), 1UL});
    fail(fmt::format("has {} in column {}, which does not fit there; {}",
                     as_written(rest.substr(0, length)), place_ + 1, known_parts));
  }

  void expect(char c) {
    if (accept(c)) return;
    if (ended()) fail(fmt::format("ends without \"{}\"", c));
    unexpected();
  }

  std::uint64_t sum() {
    std::uint64_t value = product();
    while (true) {
      if (accept('+')) {
        if (__builtin_add_overflow(value, product(), &value)) overflow();
      } else if (accept('-')) {
        if (__builtin_sub_overflow(value, product(), &value)) {
          fail_with_values("is below zero",
                           "sizes cannot be: subtract less, for instance max(a, b) - b");
        }
      } else {
        return value;
      }
    }
  }

  std::uint64_t product() {
    std::uint64_t value = factor();
    while (true) {
      if (accept('*')) {
        if (__builtin_mul_overflow(value, factor(), &value)) overflow();
      } else if (accept('/')) {
        value /= divisor();
      } else if (accept('%')) {
        value %= divisor();
      } else {
        return value;
      }
    }
  }

  std::uint64_t divisor() {
    const std::uint64_t value = factor();
    if (value == 0)
      fail_with_values("divides by zero", "divide by 1 or more, for instance max(a, 1)");
    return value;
  }

  [[noreturn]] void overflow() const {
    fail_with_values("is beyond 2^64 - 1", "use smaller numbers, or divide before you multiply");
  }

  std::uint64_t factor() {
    const char c = next();
    if (is_digit(c)) return number();
    if (begins_name(c)) return name_or_call();
    if (c == '-') fail("has a \"-\" without a value before it; values are never below zero");
    if (!accept('(')) unexpected();
    enter();
    const std::uint64_t value = sum();
    return leave(value);
  }

  void enter() {
    if (++levels_ > most_expression_levels) {
      fail(fmt::format("has more than {} levels of parentheses; name parts of it in \"sizes\"",
                       most_expression_levels));
    }
  }

  std::uint64_t leave(std::uint64_t value) {
    expect(')');
    --levels_;
    return value;
  }

  std::uint64_t number() {
    const std::string_view rest = std::string_view(text_).substr(place_);
    std::string_view word = word_of(rest);
    if (rest.substr(word.size()).starts_with('.')) {
      fail("has a fraction; write whole numbers, and a division for a part: n / 2");
    }
    place_ += word.size();
    const std::size_t unit = word.ends_with('K')   ? 1024
                             : word.ends_with('M') ? 1024 * 1024
                             : word.ends_with('G') ? 1024 * 1024 * 1024
                                                   : 1;
    const std::string_view digits = unit == 1 ? word : word.substr(0, word.size() - 1);
    if (!std::ranges::all_of(digits, is_digit)) {
      fail(
          fmt::format("has {}, which is not a number; write digits, with K, M or G for powers of "
                      "1024",
                      as_written(word)));
    }
    std::uint64_t value = 0;
    for (const char c : digits) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value)) {
        overflow();
      }
    }
    if (__builtin_mul_overflow(value, unit, &value)) overflow();
    return value;
  }

  std::uint64_t name_or_call() {
    const std::string word(word_of(std::string_view(text_).substr(place_)));
    place_ += word.size();
    if (accept('(')) return call(word);
    const auto found = std::ranges::find(names_, word, &NamedValue::name);
    if (found != names_.end()) return found->value;
    if (word == "N") fail("has \"N\", which is not a size; write n for the items of a chunk");
    const std::vector<std::string> known = transformed(names_, &NamedValue::name);
    const std::string meant = closest(word, known);
    fail(fmt::format("has {}, which is not a size; {}", as_written(word),
                     meant.empty() ? "sizes stand in \"sizes\", before they are used"
                                   : "did you mean " + as_written(meant) + "?"));
  }

  std::uint64_t call(const std::string& function) {
    if (function != "ceil" && function != "min" && function != "max") {
      fail(
          fmt::format("has {}, which is not a function; functions are ceil(a / b), min(a, b) and "
                      "max(a, b), and / rounds down",
                      as_written(function)));
    }
    enter();
    if (function == "ceil") return leave(rounded_up());
    const std::uint64_t one = sum();
    if (!accept(',')) fail(fmt::format("has {0} without two values; write {0}(a, b)", function));
    const std::uint64_t other = sum();
    if (next() == ',')
      fail(fmt::format("has {0} with more than two values; write {0}(a, {0}(b, c))", function));
    return leave(function == "min" ? std::min(one, other) : std::max(one, other));
  }

  /// Reads the operand of ceil: a single division, because an inner one would be rounded down.
  std::uint64_t rounded_up() {
    constexpr const char* form =
        "has ceil without exactly one division; write ceil(a / b), with parentheses around a and b "
        "if they are sums or have divisions";
    std::uint64_t value = factor();
    while (accept('*')) {
      if (__builtin_mul_overflow(value, factor(), &value)) overflow();
    }
    if (!accept('/')) fail(form);
    const std::uint64_t by = divisor();
    if (next() != ')' && !ended()) fail(form);
    return value / by + (value % by != 0 ? 1 : 0);
  }

  const std::string& text_;
  const std::span<const NamedValue> names_;
  std::size_t place_ = 0;
  int levels_ = 0;
};

}  // namespace

std::uint64_t value_of(const std::string& expression, std::span<const NamedValue> names) {
  return Reader(expression, names).whole();
}

std::string with_values(const std::string& expression, std::span<const NamedValue> names) {
  std::vector<std::string> values, seen;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const std::string word(word_of(std::string_view(expression).substr(i)));
    if (word.empty()) continue;
    i += word.size() - 1;
    const auto found = std::ranges::find(names, word, &NamedValue::name);
    if (found == names.end() || includes(seen, word)) continue;
    seen.push_back(word);
    values.push_back(fmt::format("{} = {}", word, found->value));
  }
  return values.empty() ? "" : fmt::format(" with {}", fmt::join(values, ", "));
}

bool is_size_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && begins_name(name.front()) &&
         word_of(name).size() == name.size() && name != "n" && name != "ceil" && name != "min" &&
         name != "max";
}

std::string as_written(std::string_view text) { return "\"" + printable(text, 80) + "\""; }

}  // namespace trilane
