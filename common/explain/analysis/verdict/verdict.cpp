#include "common/explain/analysis/verdict/verdict.hpp"

#include <fmt/format.h>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/limits/limitation.hpp"
#include "common/explain/analysis/verdict/range_words.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

std::vector<std::string> names_with(const Comparison& comparison, Status status) {
  std::vector<std::string> names;
  for (const Measurement& m : comparison.measurements) {
    if (m.status == status) names.push_back(m.variant);
  }
  return names;
}

/// Returns "3.1 passes [2.9, never]".
std::string passes(const BreakEven& break_even) {
  const auto text = [&](const auto& count) { return passes_text(count, break_even.pays); };
  return fmt::format("{} passes {}", text(break_even.passes),
                     range_text(break_even.covers, text(break_even.low), text(break_even.high)));
}

std::string pays(const BreakEven& break_even) {
  switch (break_even.pays) {
    case Pays::at_once:
      if (break_even.high && *break_even.high < 1) return "is ahead from the first pass on";
      [[fallthrough]];
    case Pays::later: return "breaks even after " + passes(break_even);
    case Pays::never: return "never breaks even";
    case Pays::at_first: break;
  }
  return "is ahead only for the first " + passes(break_even);
}

std::optional<std::uint64_t> device_bytes(const Measurement* m) {
  if (m == nullptr || !m->price || m->price->device_bytes.empty()) return std::nullopt;
  return median_bytes(m->price->device_bytes);
}

/// Returns a sentence on the device memory of the advised variant and of the one it is compared
/// with.
std::string memory(std::uint64_t bytes, std::optional<std::uint64_t> other, const Choice& choice) {
  const auto amount = [](std::uint64_t size) { return size == 0 ? "none" : format_bytes(size); };
  const std::string text = " Device memory: " + amount(bytes);
  if (!other) return text + ".";
  if (*other == bytes) return fmt::format("{}, as for {}.", text, choice.over->variant);
  return fmt::format("{} ({}: {}).", text, choice.over->variant, amount(*other));
}

/// Says what limits it, with the evidence, and what to try next, as sentences.
std::string outlook(const Limitation& limitation, const std::string& next) {
  if (!limitation.by) return "";
  return fmt::format(" What limits it: {}; {}.{}",
                     limitation.by == Limiter::sms ? "the SMs" : name_of(*limitation.by),
                     limitation.figures,
                     next.empty() ? "" : fmt::format(" To try next: {}.", next));
}

std::string words_of(const std::optional<NextStep>& step, const Comparison& comparison,
                     const Measurement& m) {
  return step ? words_of(*step, comparison, m) : "";
}

/// Says which variants are missing from the advice, and what cut the run short.
std::string reservations(const Comparison& comparison) {
  std::string text;
  for (const auto& [status, phrase] : {std::pair{Status::failed, "failed"},
                                       {Status::out_of_memory, "ran out of memory"},
                                       {Status::not_run, "did not run"}}) {
    const auto names = names_with(comparison, status);
    if (!names.empty()) text += fmt::format(" {} {}.", listed(names), phrase);
  }
  for (const std::string& what : comparison.not_modelled) text += " Not modelled: " + what;
  if (comparison.stopped == "interrupted") text += " The run was interrupted.";
  if (comparison.stopped == "lost") text += " An error left the GPU unusable and ended the run.";
  return text;
}

}  // namespace

std::string cost_of(const Choice& choice) {
  std::string text;
  if (choice.over != nullptr && choice.use->break_even) {
    text = fmt::format(" {} {}.", choice.use->variant, pays(*choice.use->break_even));
  }
  const auto bytes = device_bytes(choice.use);
  return bytes ? text + memory(*bytes, device_bytes(choice.over), choice) : text;
}

std::string passes_text(double passes) {
  if (passes < 0.05) return passes > 0 ? "<0.1" : "0";
  if (passes < 9.95) return fmt::format("{:.1f}", passes);
  return passes < 99999.5 ? fmt::format("{:.0f}", passes) : fmt::format("{:.0e}", passes);
}

std::string passes_text(const std::optional<double>& passes, Pays kind) {
  if (passes) return passes_text(*passes);
  return kind == Pays::at_first ? "always" : "never";
}

std::string verdict(const Comparison& comparison, const std::string& simulated) {
  const Times times = simulated.empty() ? Times::measured : Times::simulated;
  const Choice choice = choose(comparison, times);
  const std::string on = simulated.empty() ? "" : fmt::format(", simulated {}", simulated);
  std::string text =
      fmt::format("{}{}: {}{}", comparison.workload.label(), on, choice.said, choice.submission);
  if (choice.use != nullptr) {
    text += cost_of(choice) + choice.ties +
            outlook(limitation_of(comparison, *choice.use),
                    words_of(next_step(comparison, *choice.use), comparison, *choice.use));
  }
  return text + reservations(comparison);
}

std::optional<Advice> advice(const Comparison& comparison) {
  const Choice choice = choose(comparison, Times::measured);
  if (choice.use == nullptr) return std::nullopt;
  const Limitation limitation = limitation_of(comparison, *choice.use);
  const std::optional<NextStep> step = next_step(comparison, *choice.use);
  return Advice{.use = choice.use->variant,
                .over = choice.over == nullptr ? "" : choice.over->variant,
                .ratio = choice.ratio,
                .break_even = choice.use->break_even,
                .device_bytes = device_bytes(choice.use),
                .limited_by = limitation.by ? name_of(*limitation.by) : "",
                .share = limitation.share,
                .figures = limitation.figures,
                .next = words_of(step, comparison, *choice.use),
                .step = step};
}

}  // namespace trilane
