#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/promise.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr char same_calls[] = "the same calls";
constexpr double least_off = 0.01;  // smaller differences need no reason

/// Returns the host code's share of an iteration, as a sentence after a space; empty if unknown.
std::string host_code(const Comparison& comparison, double iteration_us) {
  if (!comparison.host_us) return "";
  return fmt::format(" Your host code stays as it is and takes {} of an iteration ({}).",
                     time_in_words(*comparison.host_us),
                     percent(std::min(1.0, *comparison.host_us / iteration_us), 0));
}

/// Returns the speed relative to the application, or to the same calls if that was not watched.
double speed_of(const Comparison& comparison, const Measurement& m) {
  const auto gain = gain_of(comparison, m);
  return 1 / (gain ? gain->ratio : *m.ratio).estimate;
}

/// Returns the first of the bounds beyond `use` that no other one beats; null: none is.
const Measurement* best_bound(const Comparison& comparison, const Measurement& use) {
  std::vector<const Measurement*> bounds = timed_variants(comparison);
  std::erase_if(bounds, [&](const Measurement* m) {
    return !is_bound(m->plan.model) || !m->ratio || !clearly_faster(*m, use) ||
           speed_of(comparison, *m) <= 1;
  });
  if (bounds.empty()) return nullptr;
  const Measurement& fastest = *bounds.front();
  std::erase_if(bounds, [&](const Measurement* m) { return clearly_faster(fastest, *m); });
  return std::ranges::min(bounds);  // they lie in one list
}

/// The replay's own kernel, which ends the loop, takes a part of each step.
auto at_most(const Model& m) { return m.issuer == Issuer::graph_loop ? "about" : "at most"; }

std::string bounds_beyond(const Comparison& comparison, const Measurement& use) {
  const Measurement* const m = best_bound(comparison, use);
  if (m == nullptr) return "";
  const Model& model = m->plan.model;
  const std::string change =
      model.issuer == Issuer::graph_loop
          ? "a WHILE node, whose condition a further kernel sets where the host reads a word now"
      : model.chaining == Chaining::recorded_memory
          ? "a graph that has only the order which the memory that arguments point to needs"
      : !m->plan.iterations ? "only the last of the host's waits"
      : launches_graph(model)
          ? fmt::format("{} iterations in a graph, whose results the host sees only at its end",
                        *m->plan.iterations)
          : "each wait one iteration later, and memory for two";
  return fmt::format(" With {}: {} {} times ({}, a bound).", change, at_most(model),
                     said_speed(speed_of(comparison, *m)), m->variant);
}

/// Says what a graph of several iterations means for the host, as sentences after a space.
std::string together_words(const Measurement& use) {
  if (!use.plan.iterations) return "";
  return fmt::format(
      " Put {} iterations in each graph: the host sees results, and can stop, only once per graph.",
      *use.plan.iterations);
}

double shown(double us) { return us < 999.5 ? std::stod(format_us(us)) : 1e3 * shown(us / 1e3); }

/// Returns "561 instead of 679 us an iteration", or "1.41 ms instead of 2.30 ms an iteration".
std::string instead_of(double us, double other_us) {
  const bool short_times = us < 999.5 && other_us < 999.5;
  return fmt::format("{} instead of {} an iteration",
                     short_times ? format_us(us) : time_in_words(us), time_in_words(other_us));
}

/// Returns "1.21 times as fast as the application in this process [1.10, 1.33], 561 instead of 679
/// us an iteration". The ratio is that of the two times as shown.
std::string promised(const Comparison& comparison, const ApplicationGain& gain) {
  Ratio ratio = gain.ratio;
  ratio.estimate = shown(gain.candidate_us) / shown(gain.application_us);
  if (ratio.covers == Covers::rounds) ratio.covers = Covers::processes;  // `where` says it
  const std::string where = comparison.processes == 1
                                ? "this process"
                                : fmt::format("{} processes", comparison.processes);
  return fmt::format("{}, {}", faster_words(ratio, "the application in " + where),
                     instead_of(gain.candidate_us, gain.application_us));
}

std::string modes_in_words(const Comparison& comparison, const Measurement& use) {
  std::string text;
  const auto application = modes_of(application_times(comparison)), passes = modes_of(use);
  if (const auto drift = application_drift(comparison)) {
    text += fmt::format(" The application's iterations drift {}.", in_words(*drift));
  } else if (application.size() > 1) {
    text += fmt::format(" The application takes {}.", in_words(application, "iterations"));
  }
  if (passes.size() > 1) {
    text += fmt::format(" The replay of {} takes {}.", use.variant, in_words(passes, "passes"));
  }
  return text;
}

std::string why_device_is_slower(bool waits, double device_us) {
  constexpr char slower[] = "kernels take longer in the replay, because their time depends on data";
  return waits ? fmt::format("the GPU needs {} for them. It seems that {}",
                             time_in_words(device_us), slower)
               : fmt::format(
                     "the GPU needs {} for them. The host ran ahead of it while the "
                     "application was watched, or {}",
                     time_in_words(device_us), slower);
}

std::string why_differs(const Comparison& comparison, const ApplicationGain& gain,
                        std::optional<double> device_us) {
  if (gain.application_us >= gain.calls_us) {
    return "the application does or waits for something that a replay does not repeat";
  }
  const auto& calls = comparison.workload.recorded;
  if (device_us && *device_us * (1 - least_off) > gain.application_us) {
    return why_device_is_slower(calls && calls->waits > 0, *device_us);
  }
  const std::vector<double> submits =
      transformed(find_reference(comparison)->samples, &Sample::submit_us);
  if (comparison.host_us.value_or(0) + mean(submits) >= gain.application_us) {
    return "its host code, which was timed in early iterations, and its calls alone take longer "
           "there";
  }
  return calls && calls->waits == 0 && comparison.mode == Mode::latency
             ? "the host waits for the device there, but may run ahead in the application"
             : "it is not known why";
}

std::string not_promised(const Comparison& comparison, const ApplicationGain& gain,
                         const Measurement& use, std::optional<double> device_us) {
  const double off = gain.calls_us / gain.application_us - 1;
  std::string text = fmt::format(
      "no gain is promised: the application takes {} an iteration, and {}, the best that was "
      "tried, {}.",
      time_in_words(gain.application_us), use.variant, time_in_words(gain.candidate_us));
  // Less than half of the gain over the same calls is no reason why it would be lost.
  if (std::abs(off) < std::max(least_off, (gain.calls_us / gain.candidate_us - 1) / 2)) {
    return comparison.processes > 1
               ? text
               : text + " One process cannot resolve such a difference; --processes 5 may.";
  }
  return text + fmt::format(
                    " It gains only over the same calls, replayed, which take {}, {} {} "
                    "than the application: {}.",
                    time_in_words(gain.calls_us), percent(std::abs(off), 0),
                    off > 0 ? "more" : "less", why_differs(comparison, gain, device_us));
}

std::string nothing_faster(const Comparison& comparison, const char* than, double us,
                           const Measurement& calls) {
  return fmt::format("nothing that was tried makes an iteration faster than {}, {}.{}{}", than,
                     time_in_words(us), host_code(comparison, us),
                     bounds_beyond(comparison, calls));
}

/// Returns a promise about the application itself. `same`: that of the same calls.
Choice promise(const Comparison& comparison, const Measurement& calls, const Measurement* use,
               const ApplicationGain& same, std::optional<double> device_us) {
  if (use == nullptr) {
    return {.use = &calls,
            .said = nothing_faster(comparison, "the application", same.application_us, calls) +
                    modes_in_words(comparison, calls)};
  }
  const auto gain = gain_of(comparison, *use);
  if (!gain) return {.use = &calls, .said = "no gain is promised: too few rounds to tell."};
  if (!gain->kept) {
    return {.use = &calls,
            .said = not_promised(comparison, *gain, *use, device_us) +
                    bounds_beyond(comparison, calls) + modes_in_words(comparison, *use)};
  }
  return {.use = use,
          .over = &calls,
          .ratio = gain->ratio,
          .said = fmt::format("use {}: {}.{}{}{}{}", use->variant, promised(comparison, *gain),
                              together_words(*use), host_code(comparison, gain->candidate_us),
                              bounds_beyond(comparison, *use), modes_in_words(comparison, *use))};
}

Choice without_replay(const Comparison& comparison) {
  const Measurement* const calls = find_reference(comparison);
  const std::string why =
      calls == nullptr || calls->message.empty() ? "they were not measured" : calls->message;
  return {.said = fmt::format("{} could not be replayed: {}.", same_calls, why)};
}

std::string question_on(const std::string& variant) {
  std::string text = variant;
  std::ranges::replace(text, '_', ' ');
  return capitalised(text) + "?";
}

std::string answer_on_bound(const Comparison& comparison, const Measurement& m) {
  const double speed = m.ratio ? speed_of(comparison, m) : 1;
  if (effect_of(m.ratio) != Effect::gains || speed <= 1) return "No gain, even as a bound.";
  return fmt::format("{} {}x: a bound, because {}.", capitalised(at_most(m.plan.model)),
                     said_speed(speed), why_bound(m.plan.model));
}

std::string answer_on_gain(const ApplicationGain& gain, const Measurement& m) {
  if (gain.ratio.low > 1) return fmt::format("No: {}x.", said_speed(1 / gain.ratio.estimate));
  if (effect_of(m.ratio) != Effect::gains) return "No: no difference.";
  if (!gain.kept)
    return "No gain is promised: it gains over the same calls, not over the application.";
  return fmt::format("Yes: {}x; an iteration takes {} less.",
                     said_speed(shown(gain.application_us) / shown(gain.candidate_us)),
                     time_in_words(gain.application_us - gain.candidate_us));
}

std::string answer_on_timed(const Comparison& comparison, const Measurement& m,
                            const Measurement* calls) {
  if (is_bound(m.plan.model)) return answer_on_bound(comparison, m);
  if (const auto gain = gain_of(comparison, m)) return answer_on_gain(*gain, m);
  switch (effect_of(m.ratio)) {
    case Effect::gains: {
      const std::string speed = said_speed(1 / m.ratio->estimate);
      if (calls == nullptr || !calls->wall) return fmt::format("Yes: {}x.", speed);
      return fmt::format("Yes: {}x; an iteration takes {} less.", speed,
                         time_in_words(calls->wall->mean * (1 - m.ratio->estimate)));
    }
    case Effect::loses: return fmt::format("No: {}x.", said_speed(1 / m.ratio->estimate));
    case Effect::nothing: return fmt::format("No: {}.", range_words(m.ratio->covers).no_difference);
    case Effect::unclear: break;
  }
  return "Too few rounds to tell.";
}

std::string answer_on(const Comparison& comparison, const Measurement& m,
                      const Measurement* calls) {
  const std::string why = m.message.empty() ? "" : ": " + m.message;
  switch (m.status) {
    case Status::ok: return m.wall ? answer_on_timed(comparison, m, calls) : "Not measured.";
    case Status::failed: return fmt::format("Failed{}.", why);
    case Status::not_supported: return fmt::format("Does not apply{}.", why);
    case Status::out_of_memory: return fmt::format("Out of memory{}.", why);
    case Status::not_run: return fmt::format("Not run{}.", why);
  }
  return "";
}

}  // namespace

Choice choose_candidate(const Comparison& comparison, std::optional<double> device_us) {
  const Measurement* const calls = find_reference(comparison);
  if (calls == nullptr || calls->status != Status::ok || !calls->wall)
    return without_replay(comparison);
  const Winner* const winner = winner_of(comparison, tier_of(calls->plan.model));
  const Measurement* use = winner ? find_variant(comparison, winner->variant) : nullptr;
  if (use == calls) use = nullptr;
  if (const auto same = gain_of(comparison, *calls)) {
    return promise(comparison, *calls, use, *same, device_us);
  }
  if (use == nullptr) {
    return {.use = calls,
            .said = nothing_faster(comparison, same_calls, calls->wall->mean, *calls)};
  }
  return {.use = use,
          .over = calls,
          .ratio = use->ratio,
          .said = fmt::format(
              "use {}: {}, {}.{}{}{}", use->variant, faster_words(*use->ratio, same_calls),
              instead_of(use->wall->mean, calls->wall->mean), together_words(*use),
              host_code(comparison, use->wall->mean), bounds_beyond(comparison, *use))};
}

std::vector<Answer> candidate_answers(const Comparison& comparison) {
  const Measurement* const calls = find_reference(comparison);
  std::vector<Answer> answers;
  for (const Measurement& m : comparison.measurements) {
    if (m.variant.empty() || m.variant == comparison.reference) continue;
    answers.push_back({question_on(m.variant), answer_on(comparison, m, calls)});
  }
  return answers;
}

}  // namespace trilane
