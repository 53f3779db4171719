#include "common/measure/ask/experiment_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/console/console.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/base/text/choice.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/in_processes.hpp"
#include "common/commands/options/command.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/commands/runs.hpp"
#include "common/commands/shown.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/merged_replies.hpp"
#include "common/measure/ask/reply_overview.hpp"
#include "common/measure/ask/reply_page.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/bench/warm_process.hpp"
#include "common/measure/processes/run_processes.hpp"

namespace trilane {
namespace {

constexpr double us_per_second = 1e6, longest_question_us = 3600 * us_per_second;

std::vector<Question> chosen(const Given& given) {
  const std::vector<Question>& all = questions();
  if (given.has("all")) {
    if (!given.operands().empty())
      throw UsageError("--all asks every question; leave the names out, or --all");
    return all;
  }
  std::vector<std::string> names;
  for (const Question& question : all) names.push_back(question.name);
  std::vector<Question> some;
  for (const std::string& name : given.operands()) {
    some.push_back(all[parse_choice("ask", name, names)]);
  }
  return some;
}

/// Processes that measure the same share the rounds, so that together they take as long as one.
AskSettings ask_settings(const Given& given) {
  constexpr std::uint32_t fewest_of_process = 3;  // for quartiles
  AskSettings settings{.simulated = !simulated_profile().empty(), .interrupted = interrupted};
  if (const auto us = given.time_us("time", longest_question_us))
    settings.seconds = *us / us_per_second;
  settings.seed = given.count<std::uint64_t>("seed", 0, UINT64_MAX).value_or(settings.seed);
  const std::uint32_t processes = place_in_run().of;
  settings.fewest = std::max(settings.fewest / processes, fewest_of_process);
  settings.most = std::max(settings.most / processes, settings.fewest);
  return settings;
}

/// Asks until a signal comes or the device is lost; keeps the answers so far.
void ask_all(const std::vector<Question>& asked, const AskSettings& settings, Replies& replies,
             Console& console) {
  Progress& progress = console.expect(asked.size());
  for (const Question& question : asked) {
    progress.start(question.name);
    replies.answers.push_back(ask(question, settings));
    round_to_nanoseconds(replies.answers.back());
    progress.done(name_of(replies.answers.back().finding));
    console.keep();
    if (is_lost()) break;
  }
}

bool any_failed(const Replies& replies) {
  return std::ranges::find(replies.answers, Finding::failed, &Reply::finding) !=
         replies.answers.end();
}

/// Shows and writes the replies, and says what was left out after a sticky error.
ExitCode finish(const std::vector<Question>& asked, const Replies& replies, const ShowOptions& show,
                Console& console) {
  const ExitCode written =
      console.finish(shown(show.quiet ? overview_page(replies) : replies_page(replies), show));
  std::vector<std::string> not_run;
  for (std::size_t i = replies.answers.size(); i < asked.size(); ++i) {
    not_run.push_back(asked[i].name);
  }
  if (interrupted()) return worse_of(exit_interrupted, written);
  if (!not_run.empty()) {
    console.complain(fmt::format("not run after an error: {}", shortened(not_run)));
  }
  return worse_of(any_failed(replies) ? exit_wrong : exit_ok, written);
}

int ask_command_line(const Given& given, const Caller& caller) {
  const std::vector<Question> asked = chosen(given);
  const ShowOptions show = read_show(given);
  if (asked.empty()) return Console().finish(shown(questions_page(), show));
  const DeviceOptions device_options = read_device(given);
  const AskSettings settings = ask_settings(given);
  const std::uint32_t processes = read_processes(given, caller);
  start_device(device_options, settings.seed);
  Replies replies{.context = {}, .seed = settings.seed, .answers = {}};
  Console console({{"--json", given.output("json"),
                    [&] { return replies.answers.empty() ? "" : to_json(replies); }}},
                  given.has("force"));
  if (processes > 1) {
    const auto end = [&] { return finish(asked, replies, show, console); };
    return run_in_processes(
        plan_of(arguments_of_child(given, "ask"), processes, settings.seed, settings.seconds,
                asked.size()),
        merged_into(replies, replies_from_json, merged_replies, caller.line, end), console);
  }
  const InterruptGuard guard;
  const Device device = open_device(device_options.number);
  warm_process({}, device.memory_pools);
  replies.context = start_context(device, caller.line, simulated_profile());
  try {
    ask_all(asked, settings, replies, console);
  } catch (const Interrupted&) {
    // Shows what was answered.
  }
  finish_context(replies.context);
  return finish(asked, replies, show, console);
}

/// Returns the names in list order, separated by commas.
const char* names_of_questions() {
  static const std::string names = [] {
    std::string all;
    for (const Question& question : questions()) all += (all.empty() ? "" : ",") + question.name;
    return all;
  }();
  return names.c_str();
}

}  // namespace

Command ask_command() {
  return {.name = "ask",
          .operands = {"[NAME...]", 0, 100, Value::choice, names_of_questions()},
          .summary = "answer questions about streams, graphs and memory by experiment",
          .about =
              "Without a name this lists the questions. Each experiment measures on this GPU and "
              "answers from that alone; where it does not tell, the answer is \"undecided\".",
          .examples = {"ask", "ask free_waits malloc_waits", "ask --all --json answers.json"},
          .groups = {{"What to ask", {{"all", "", "every question", Value::none}, option::device}},
                     {"How to measure",
                      {{"time", "TIME", "measuring time of a question (default: 3s)"},
                       option::fresh_processes,
                       {"seed", "N", "seed of the order of turns (default: 1)"}}},
                     {"Output", {option::json, option::quiet, option::markdown, option::force}}},
          .run = ask_command_line};
}

}  // namespace trilane
