// What was given on the command line, before it means anything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/text/size.hpp"

namespace trilane {

/// Options by name, without the dashes, and their text; switches have an empty one.
class Given {
 public:
  /// Throws UsageError on an unknown, abbreviated or repeated option, a stray word, a value that is
  /// missing and one that a switch does not take.
  explicit Given(std::span<const char* const> arguments);

  bool has(const std::string& name) const { return values_.contains(name); }
  const std::map<std::string, std::string>& all() const { return values_; }
  std::optional<std::string> text(const std::string& name) const;
  /// Every text of the option, in the order given. Only --sweep may be given again, and only
  /// --compare takes several words.
  std::vector<std::string> texts(const std::string& name) const;

  /// `parse(option, text)` if the option was given; `option` has its dashes, for messages.
  template <typename Parse>
  auto read(const std::string& name, Parse parse) const
      -> std::optional<decltype(parse(std::string(), std::string()))> {
    if (!has(name)) return std::nullopt;
    return parse("--" + name, values_.at(name));
  }

  /// A whole number in these limits, if the option was given.
  template <typename Number>
  std::optional<Number> count(const std::string& name, Number low, Number high) const {
    return read(name, [=](const std::string& option, const std::string& text) {
      return static_cast<Number>(parse_count(option, text, static_cast<std::uint64_t>(low),
                                             static_cast<std::uint64_t>(high)));
    });
  }
  /// A share in percent, as a fraction.
  std::optional<double> share(const std::string& name, double low, double high) const;
  /// A time that is more than 0, in microseconds.
  std::optional<double> time_us(const std::string& name, double high_us) const;
  /// One of `known`.
  std::optional<std::string> one_of(const std::string& name,
                                    const std::vector<std::string>& known) const;
  /// Some of `known`, in its order.
  std::optional<std::vector<std::string>> some_of(const std::string& name,
                                                  const std::vector<std::string>& known) const;
  /// A text that is not empty; otherwise the option is refused for this reason.
  std::optional<std::string> text_or_refuse(const std::string& name, const char* why) const;
  /// Throws UsageError with the option's text for this reason, if the option was given.
  void forbid(const std::string& name, const std::string& why) const;

 private:
  std::map<std::string, std::string> values_;
  std::map<std::string, std::vector<std::string>> further_;  ///< texts after the first
};

}  // namespace trilane
