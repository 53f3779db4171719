#include "common/commands/options/command_line.hpp"
#include "common/commands/saved_experiments.hpp"
#include "common/commands/shown.hpp"
#include "common/measure/ask/question.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/processes/run_processes.hpp"

namespace trilane {
namespace {

constexpr double longest_question_us = 3600e6;

std::vector<Question> chosen(const Given& given) {
  const std::vector<Question>& all = questions();
  if (given.has("all")) {
    if (!given.operands().empty())
      throw UsageError("--all asks every question; leave out the names or --all");
    return all;
  }
  return given.named_by_operands("ask", all);
}

/// Processes that measure the same share the rounds, so that together they take as long as one.
AskSettings ask_settings(const Given& given) {
  constexpr std::uint32_t fewest_of_process = 3;  // for quartiles
  AskSettings settings{.simulated = !simulated_profile().empty(), .interrupted = interrupted};
  RoundSettings& rounds = settings.rounds;
  if (const auto us = given.time_us("time", longest_question_us)) rounds.seconds = *us / 1e6;
  rounds.seed = given.count<std::uint64_t>("seed", 0, UINT64_MAX).value_or(rounds.seed);
  rounds.share(place_in_run().of, fewest_of_process);
  return settings;
}

void ask_all(const std::vector<Question>& asked, const AskSettings& settings, Replies& replies,
             Console& console) try {
  Progress& progress = console.expect(asked.size());
  const KeptStreams streams;  // because graphs are slower after the use of many
  for (const Question& question : asked) {
    progress.start(question.name);
    replies.answers.push_back(ask(question, settings));
    round_to_nanoseconds(replies.answers.back());
    progress.done(name_of(replies.answers.back().finding));
    console.keep();
    if (is_lost()) break;
  }
} catch (const Interrupted&) {
  // Shows what was answered.
}

ExitCode finish(const std::vector<Question>& asked, const Replies& replies, const ShowOptions& show,
                Console& console) {
  const ExitCode written =
      console.finish(shown(show.quiet ? overview_page(replies) : replies_page(replies), show));
  if (interrupted()) return worse_of(exit_interrupted, written);
  const auto not_run = std::span(asked).subspan(replies.answers.size());
  if (!not_run.empty()) {
    console.complain(fmt::format("not run after an error: {}", shortened(names_of(not_run))));
  }
  const bool any_failed = includes(replies.answers, Finding::failed, &Reply::finding);
  return worse_of(any_failed ? exit_wrong : exit_ok, written);
}

int ask_command_line(const Given& given, const Caller& caller) {
  std::vector<Question> asked = chosen(given);
  std::ranges::stable_partition(asked, std::identity(), &Question::first);
  const ShowOptions show = read_show(given);
  if (asked.empty()) return Console().finish(shown(questions_page(), show));
  const DeviceOptions device_options = read_device(given);
  const AskSettings settings = ask_settings(given);
  Replies replies;
  return run_experiments<Replies>(
      given, caller, device_options, replies,
      {.command = "ask",
       .parts = asked.size(),
       .rounds = settings.rounds,
       .read = replies_from_json,
       .merge = merged_replies,
       .text = [&] { return replies.answers.empty() ? "" : to_json(replies); },
       .measure = [&](Console& console) { ask_all(asked, settings, replies, console); },
       .finish = [&](Console& console) { return finish(asked, replies, show, console); }});
}

}  // namespace

Command ask_command() {
  static const std::string names = fmt::format("{}", fmt::join(names_of(questions()), ","));
  return {.name = "ask",
          .operands = {"[NAME...]", 0, 100, Value::choice, names.c_str()},
          .summary = "answer questions about streams, graphs and memory by experiment",
          .about =
              "Without a name, lists the questions. Each experiment measures on this GPU and "
              "answers from that alone; if it is inconclusive, the answer is \"undecided\".",
          .examples = {"ask", "ask free_waits malloc_waits", "ask --all --json answers.json"},
          .groups = {{"What to ask", {{"all", "", "every question", Value::none}, option::device}},
                     {"How to measure",
                      {{"time", "TIME", "measuring time per question (default: 3s)"},
                       option::fresh_processes,
                       {"seed", "N", "seed of the order of turns (default: 1)"}}},
                     {"Output", {option::json, option::quiet, option::markdown, option::force}}},
          .run = ask_command_line};
}

}  // namespace trilane
