// The command line as options and their texts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "common/text/size.hpp"

namespace trilane {

/// Options by name, without dashes, and their texts; a switch has an empty text.
class Given {
 public:
  /// Throws UsageError for an unknown, abbreviated or repeated option, a stray word, a missing
  /// value, and a value given to a switch.
  explicit Given(std::span<const char* const> arguments);

  bool has(const std::string& name) const { return values_.contains(name); }
  const std::map<std::string, std::string>& all() const { return values_; }
  std::optional<std::string> text(const std::string& name) const;
  /// Every text of the option, in order. Only --sweep may be repeated, and only --compare takes
  /// several words.
  std::vector<std::string> texts(const std::string& name) const;

  /// `parse(option, text, more...)` if the option was given; `option` includes its dashes, for
  /// messages.
  template <typename Parse, typename... More>
  auto read(const std::string& name, Parse parse, const More&... more) const
      -> std::optional<std::invoke_result_t<Parse, std::string, std::string, More...>> {
    if (!has(name)) return std::nullopt;
    return parse("--" + name, values_.at(name), more...);
  }

  /// A whole number from `low` to `high`, if the option was given. Throws UsageError.
  template <typename Number>
  std::optional<Number> count(const std::string& name, Number low, Number high) const {
    return read(name, parse_count, static_cast<std::uint64_t>(low),
                static_cast<std::uint64_t>(high));
  }
  /// A percentage as a fraction. Throws UsageError.
  std::optional<double> share(const std::string& name, double low, double high) const;
  /// A positive time in microseconds. Throws UsageError.
  std::optional<double> time_us(const std::string& name, double high_us) const;
  /// One of `known`. Throws UsageError.
  std::optional<std::string> one_of(const std::string& name,
                                    const std::vector<std::string>& known) const;
  /// Some of `known`, in its order. Throws UsageError.
  std::optional<std::vector<std::string>> some_of(const std::string& name,
                                                  const std::vector<std::string>& known) const;
  /// The text, or empty if the option was not given. Throws UsageError with the reason `why` if it
  /// was given with an empty text.
  std::string text_or_refuse(const std::string& name, const char* why) const;
  /// Throws UsageError with the option's text and the reason `why` if the option was given.
  void forbid(const std::string& name, const std::string& why) const;

 private:
  std::map<std::string, std::string> values_;
  std::map<std::string, std::vector<std::string>> further_;  ///< texts after the first
};

}  // namespace trilane
