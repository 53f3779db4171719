#include "common/commands/options/what_if.hpp"

#include <fnmatch.h>

#include <charconv>

#include "common/base/json/figures.hpp"
#include "common/base/json/misfit.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"

namespace trilane {
namespace {

struct FigureChange {
  std::string text, name;  ///< "in_gbps=*2", "in_gbps"
  bool multiplies;
  double number;
};

FigureChange figure_change(const std::string& text) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) {
    refuse("--set", text, "is no change; write NAME=VALUE or NAME=*FACTOR, such as in_gbps=110");
  }
  std::string number = text.substr(equals + 1);
  const bool multiplies = number.starts_with('*');
  if (multiplies) number.erase(0, 1);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() ||
      !(value >= 0 && std::isfinite(value))) {
    refuse("--set", text, "has no number from 0 on behind the =");
  }
  return {text, text.substr(0, equals), multiplies, value};
}

bool names(const std::string& pattern, const std::string& figure) {
  const auto fits = [&](const std::string& form) {
    return fnmatch(form.c_str(), figure.c_str(), 0) == 0;
  };
  return fits(pattern) || fits("*." + pattern) || fits(pattern + ".*") ||
         fits("*." + pattern + ".*");
}

/// Lengthens or shortens copies by what their bytes take at another rate; the fixed cost stays.
void keep_up(std::vector<SizeCost>& copies, double old_gbps, double gbps) {
  for (SizeCost& cost : copies) {
    const double bytes = static_cast<double>(cost.bytes);
    cost.us = std::max(0.0, cost.us + (bytes / gbps - bytes / old_gbps) * 1e-3);
  }
}

void apply(const FigureChange& change, Profile& profile) {
  std::vector<NamedFigure> figures = figures_of(profile);
  std::erase_if(figures, [](const NamedFigure& one) { return one.name.starts_with("error."); });
  std::vector<std::string> last_words;
  for (const NamedFigure& one : figures) {
    last_words.push_back(one.name.substr(one.name.rfind('.') + 1));
  }
  std::erase_if(figures, [&](const NamedFigure& one) { return !names(change.name, one.name); });
  if (figures.empty()) {
    const std::string meant = closest(change.name, last_words);
    refuse("--set", change.text, "names no figure of the profile{}",
           meant.empty() ? "; its file lists them" : fmt::format("; did you mean {}?", meant));
  }
  if (figures.size() > 1 && !change.multiplies) {
    refuse("--set", change.text,
           "names {} figures, such as {} and {}; name one, or multiply all of them with =*FACTOR",
           figures.size(), figures[0].name, figures[1].name);
  }
  for (const NamedFigure& one : figures) {
    *one.value = change.multiplies ? *one.value * change.number : change.number;
    if (!std::isfinite(*one.value)) refuse("--set", change.text, "makes {} infinite", one.name);
  }
}

}  // namespace

std::function<void(Profile&)> what_if(const std::string& changes) {
  if (changes.empty()) return [](Profile&) {};
  constexpr std::size_t most = 100;  // characters, because every page shows them
  if (changes.size() > most) {
    refuse("--set", changes, "has over {} characters; change a copy of the profile instead", most);
  }
  return [changes, all = transformed(split(changes, ','), figure_change)](Profile& profile) {
    const auto changed = [&](Profile one) {
      for (const FigureChange& change : all) apply(change, one);
      read_profile(to_json(one), "--set " + in_quotes(changes), "set another value");
      return one;
    };
    const auto rates = changed(profile).engine;
    auto& engine = profile.engine;
    keep_up(engine.duration[index_of(Kind::copy_in)], engine.in_gbps, rates.in_gbps);
    keep_up(engine.duration[index_of(Kind::copy_out)], engine.out_gbps, rates.out_gbps);
    profile = changed(profile);
    profile.name += " with " + changes;
  };
}

}  // namespace trilane
