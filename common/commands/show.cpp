#include "common/base/console/console.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/report/profile_pages.hpp"
#include "common/explain/report/report.hpp"
#include "common/measure/loop/results/loop_verdict.hpp"
#include "common/model/workload/drawn.hpp"

namespace trilane {
namespace {

using Section = Page (*)(const Comparison&, const std::string& simulated);

/// The options that ask for a page of each workload, in the order of the pages.
constexpr std::pair<const char*, Section> sections[] = {
    {"all", times_page},
    {"bounds", [](const Comparison& c, const std::string&) { return bounds_page(c); }},
    {"setup", [](const Comparison& c, const std::string&) { return setup_page(c); }},
    {"timeline", timeline_page}};

Page asked_for(const Results& results, const Given& given) {
  Page page;
  const std::string& simulated = results.context.simulated;
  for (const auto& [option, section] : sections) {
    if (!given.has(option)) continue;
    for (const Comparison& comparison : results.comparisons)
      append(page, section(comparison, simulated));
  }
  if (!page.empty() && !simulated.empty()) {
    page.insert(page.begin(),
                Paragraph{fmt::format("Simulated {}: no time is measured.", simulated)});
  }
  return page;
}

bool is_preset(const std::string& word) {
  return word == "custom" || word.starts_with(drawn_name) ||
         includes(presets(), word, &Workload::name);
}

/// Returns the file named before any preset, or that of the last run.
std::string results_path(const std::vector<std::string>& operands) {
  if (!operands.empty() && !is_preset(operands.front())) return operands.front();
  const std::string last = last_results_path();
  if (!last.empty()) return last;
  throw UsageError("show: there is no home folder with the last results; name a results file");
}

class Show {
 public:
  explicit Show(const Given& given)
      : given_(given), path_(results_path(given.operands())), options_(read_show(given)) {
    const auto& words = given.operands();
    if (words.size() > 1 || (!words.empty() && is_preset(words.back()))) name_ = words.back();
  }

  std::string operator()() { return std::visit(*this, load_written("show", path_)); }

  std::string operator()(Results results) const {
    derive(results);
    keep_named(results.comparisons, [](const Comparison& c) { return c.workload.name; });
    const Page page = asked_for(results, given_);
    if (!page.empty()) return shown(page, options_);
    return screen_of(results, path_ == last_results_path() ? "" : path_, options_);
  }

  std::string operator()(Replies replies) const {
    keep_named(replies.answers, [](const Reply& reply) { return reply.question; });
    for (const auto& [option, section] : sections) given_.forbid(option, not_of_run);
    return shown(options_.quiet ? overview_page(replies) : replies_page(replies), options_);
  }

  std::string operator()(LoopResults results) const {
    keep_named(results.loops,
               [](const LoopComparison& comparison) { return comparison.loop.name; });
    for (const char* option : {"bounds", "setup", "timeline", "quiet"}) {
      given_.forbid(option, not_of_run);
    }
    const LoopDetail detail = given_.has("all") ? LoopDetail::tables : LoopDetail::map;
    return shown(loops_page(results, detail), options_);
  }

  std::string operator()(const Profile& profile) const {
    if (name_) refuse("show", *name_, "names nothing in a profile; leave it out");
    for (const auto& [option, section] : sections) given_.forbid(option, not_of_run);
    given_.forbid("quiet", not_of_run);
    return shown(profile_page(profile), options_);
  }

 private:
  template <typename Entry, typename Name>
  void keep_named(std::vector<Entry>& entries, Name name_of_entry) const {
    if (!name_) return;
    const std::vector<std::string> names = transformed(entries, name_of_entry);
    parse_choice("show " + printable(path_), *name_, names);
    std::erase_if(entries, [&](const Entry& entry) { return name_of_entry(entry) != *name_; });
  }

  static constexpr const char* not_of_run = "is not for such a file; leave it out";

  const Given& given_;
  std::string path_;
  ShowOptions options_;
  std::optional<std::string> name_;
};

int show(const Given& given, const Caller&) { return Console().finish(Show(given)()); }

}  // namespace

Command show_command() {
  return {.name = "show",
          .operands = {"[RESULTS] [NAME]", 0, 2, Value::file},
          .summary = "print saved results again, or in more detail",
          .about =
              "RESULTS is a file from trilane run, ask or loop with --json, or a profile from "
              "trilane calibrate (default: the last run's). NAME is a preset, question or loop in "
              "it. Without an option, prints what "
              "that command printed; of a profile, what is odd in it.",
          .examples = {"show launch --bounds", "show results.json --all --setup",
                       "show answers.json free_waits"},
          .groups = {{"What to show",
                      {{"all", "",
                        "every variant: times, quartiles, intervals; every table of a loop's map",
                        Value::none},
                       {"bounds", "", "what the hardware allows, and what limits each variant",
                        Value::none},
                       {"setup", "", "set-up, first pass, break-even and memory", Value::none},
                       {"timeline", "", "the passes that --trace recorded", Value::none}}},
                     {"Output", {option::quiet, option::markdown}}},
          .run = show};
}

}  // namespace trilane
