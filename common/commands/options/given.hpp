// What was given on the command line, before it means anything.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

 private:
  std::map<std::string, std::string> values_;
  std::map<std::string, std::vector<std::string>> further_;  ///< texts after the first
};

}  // namespace trilane
