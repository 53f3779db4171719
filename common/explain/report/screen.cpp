#include "common/explain/report/report.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"

namespace trilane {
namespace {

std::size_t lines_of(const Page& page) {
  const std::string text = as_text(page);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::size_t lines_beside_label(const std::string& text) {
  return lines_of({LabelledText{"CUT SHORT", text}});
}

/// Returns the labelled text in at most that many lines of the screen.
LabelledText limited(const std::string& label, const std::string& text, std::size_t lines) {
  LabelledText part{label, text};
  for (std::size_t width = lines * screen_width;
       lines_beside_label(part.text) > lines && width > 10; width -= 5) {
    part.text = clipped(text, width);
  }
  return part;
}

struct Tally {
  std::vector<std::string> failed, not_run, not_supported;  // "graph on launch: why"
  std::size_t ok = 0, unchecked = 0;
};

Tally tally_of(const Results& results) {
  Tally tally;
  for (const Comparison& comparison : results.comparisons) {
    for (const Measurement& m : comparison.measurements) {
      std::string name = fmt::format("{} on {}", m.variant, comparison.workload.label());
      if (!m.message.empty()) name += ": " + m.message;
      switch (m.status) {
        case Status::ok:
          ++tally.ok;
          tally.unchecked += m.checked_passes == 0;
          break;
        case Status::failed:
        case Status::out_of_memory: tally.failed.push_back(name); break;
        case Status::not_run: tally.not_run.push_back(name); break;
        case Status::not_supported: tally.not_supported.push_back(name); break;
      }
    }
  }
  return tally;
}

struct LeftOut {
  std::vector<std::size_t> workloads;
  std::vector<std::string> variants;
};

std::vector<LeftOut> variants_left_out(const std::vector<Comparison>& comparisons) {
  std::vector<LeftOut> single;
  for (std::size_t workload = 0; workload < comparisons.size(); ++workload) {
    for (const Measurement& m : comparisons[workload].measurements) {
      if (m.status != Status::not_supported) continue;
      const auto is_it = [&](const LeftOut& one) { return one.variants.front() == m.variant; };
      auto found = std::ranges::find_if(single, is_it);
      if (found == single.end()) found = single.insert(found, {{}, {m.variant}});
      found->workloads.push_back(workload);
    }
  }
  std::vector<LeftOut> groups;
  for (const LeftOut& one : single) {
    auto found = std::ranges::find(groups, one.workloads, &LeftOut::workloads);
    if (found == groups.end()) found = groups.insert(found, {one.workloads, {}});
    found->variants.push_back(one.variants.front());
  }
  std::ranges::stable_sort(groups, std::greater{},
                           [](const LeftOut& group) { return group.workloads.size(); });
  return groups;
}

/// Returns "on 5 of 6 workloads: fused; on 2 of 6: batch", or the variants alone for one workload.
std::string left_out_text(const std::vector<Comparison>& comparisons) {
  const std::size_t all = comparisons.size();
  std::string text;
  for (const LeftOut& group : variants_left_out(comparisons)) {
    const std::string variants = shortened(group.variants);
    if (all == 1) return ": " + variants;
    text += fmt::format("{} on {} of {}: {}", text.empty() ? "" : ";", group.workloads.size(),
                        text.empty() ? counted(all, "workload") : std::to_string(all), variants);
  }
  return text;
}

std::string first_of(const std::vector<std::string>& names) {
  const std::size_t more = names.size() - 1;
  return more == 0 ? names.front() : fmt::format("({} more) {}", more, names.front());
}

std::string machine(const Context& context) {
  if (!context.simulated.empty()) return fmt::format("Simulated {}", context.simulated);
  std::vector<std::string> parts;
  const auto add = [&](const char* before, const char* name) {
    const std::string value = value_of(context.gpu, name);
    if (!value.empty()) parts.push_back(before + value);
  };
  add("", "name");
  add("driver ", "driver_version");
  add("CUDA ", "cuda_runtime_version");
  return parts.empty() ? "Unknown GPU" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string outcome(const Results& results) {
  const Tally tally = tally_of(results);
  std::string text;
  if (tally.ok == 0) {
    text = " Nothing was timed.";
  } else if (tally.unchecked > 0) {
    text = results.context.simulated.empty() ? " Results were not checked."
                                             : " Predicted, not checked.";
  } else if (tally.failed.empty()) {
    text = " Every result was right.";
  } else {
    text = " All other results were right.";
  }
  if (tally.not_supported.size() == 1) {
    text += fmt::format(" Not supported: {}.", tally.not_supported.front());
  } else if (!tally.not_supported.empty()) {
    text += fmt::format(" Not supported{}.", left_out_text(results.comparisons));
  }
  return text;
}

std::string mode_words(const Comparison& comparison) {
  switch (comparison.mode) {
    case Mode::latency: return "";
    case Mode::throughput:
      if (comparison.batch == 1) return ", latency, because passes are too long to queue two";
      return fmt::format(", throughput in batches of {}", counted(comparison.batch, "pass"));
  }
  return "";
}

Page alarms(const Results& results) {
  constexpr std::size_t most = 2;  // lines of each
  const Tally tally = tally_of(results);
  Page page;
  if (!tally.failed.empty()) page.push_back(limited("FAILED", first_of(tally.failed), most));
  std::string cut;
  for (const Comparison& comparison : results.comparisons) {
    if (comparison.stopped == "interrupted") cut = "The run was interrupted.";
    if (comparison.stopped == "lost") cut = "An error left the GPU unusable and ended the run.";
  }
  if (!tally.not_run.empty()) {
    cut += fmt::format("{}Not run: {}.", cut.empty() ? "" : " ", first_of(tally.not_run));
  }
  if (!cut.empty()) page.push_back(limited("CUT SHORT", cut, most));
  return page;
}

/// Returns "6 workloads on 2 GPUs, each alone and all at once".
std::string gpus_in_words(const std::vector<Comparison>& comparisons) {
  std::set<std::string> workloads;
  std::set<std::uint32_t> devices;
  for (const Comparison& comparison : comparisons) {
    workloads.insert(comparison.workload.label());
    if (comparison.placement) devices.insert(comparison.placement->device);
  }
  return fmt::format("{} on {}, each alone and all at once", counted(workloads.size(), "workload"),
                     counted(devices.size(), "GPU"));
}

/// Returns "NVIDIA H200, driver 580.159, CUDA 13.0: 6 workloads, 17 variants, 71 s. ..."
Paragraph summary(const Results& results) {
  if (results.comparisons.empty()) return {machine(results.context) + ": nothing was run."};
  std::size_t variants = 0;
  std::uint32_t processes = 1;
  double seconds = 0;
  for (const Comparison& comparison : results.comparisons) {
    variants = std::max(variants, comparison.measurements.size());
    processes = std::max(processes, comparison.processes);
    seconds += comparison.seconds;
  }
  const std::size_t workloads = results.comparisons.size();
  std::string shape;
  if (workloads == 1) {
    const Comparison& comparison = results.comparisons.front();
    shape = comparison.workload.label() +
            (does_least_work(comparison) ? ", kernels of 1 round, " : ", ");
  } else if (results.comparisons.front().placement) {
    shape = gpus_in_words(results.comparisons) + ", ";
  } else if (const auto splits = splits_in(results.comparisons); !splits.empty()) {
    shape = fmt::format("{} on one GPU and split over {:.0f}, ", counted(splits.size(), "workload"),
                        most_gpus(splits));
  } else if (one_name(results.comparisons)) {
    shape = fmt::format("{} in {} ways, ", results.comparisons.front().workload.name, workloads);
  } else {
    shape = counted(workloads, "workload") + ", ";
  }
  const std::string taken = std::ranges::any_of(results.comparisons, is_predicted)
                                ? ""
                                : fmt::format(", {:.{}f} s", seconds, seconds < 9.95 ? 1 : 0);
  const bool replayed = results.comparisons.front().workload.origin() == Origin::recording;
  const std::string text =
      fmt::format("{}: {}{}{}{}{}.{}", machine(results.context), shape,
                  counted(variants, replayed ? "candidate" : "variant"),
                  processes > 1 ? ", " + counted(processes, "process") : "",
                  mode_words(results.comparisons.front()), taken, outcome(results));
  constexpr std::size_t most_lines = 2;
  return {clipped(text, most_lines * (screen_width - 5))};
}

struct Room {
  std::size_t rows;
  int details = 2;  ///< of the advice: 2 is everything, 1 leaves out its cost
};

Times times_of(const Results& results) {
  return results.context.simulated.empty() ? Times::measured : Times::simulated;
}

void add_advice(Page& page, const Comparison& comparison, Times times, int details) {
  constexpr std::size_t use_lines = 3, other_lines = 2;
  const Choice choice = choose(comparison, times);
  const auto add = [&](const char* label, const std::string& text, std::size_t lines) {
    if (!text.empty()) page.push_back(limited(label, text, lines));
  };
  add("Answer", capitalised(choice.said), use_lines);
  if (details > 1) add("", choice.submission + cost_of(choice) + choice.ties, other_lines);
  if (details == 0) return;
  if (!comparison.advice || comparison.advice->limited_by.empty()) return;
  const Advice& advice = *comparison.advice;
  add("Limit", fmt::format("{}: {}.", capitalised(advice.limited_by), advice.figures), other_lines);
  if (!advice.next.empty()) add("Next", capitalised(advice.next) + ".", other_lines);
}

void add_answers(Page& page, const Results& results, std::size_t lines) {
  for (auto [question, answer] : answers_to(results.comparisons)) {
    for (std::size_t most = 2; most > 0 && lines_beside_label(answer) > lines; --most) {
      const std::vector<Answer> shorter = answers_to(results.comparisons, most);
      answer = std::ranges::find(shorter, question, &Answer::question)->text;
    }
    page.push_back(limited(question, answer, lines));
  }
}

void add_doubts(Page& page, const Results& results, std::size_t most) {
  const char* label = "Doubtful";
  for (const std::string& doubt : doubts_about(results)) {
    if (most-- == 0) break;
    page.push_back(limited(std::exchange(label, ""), doubt, 2));
  }
}

Page laid_out(const Results& results, const std::string& more, Room room) {
  const bool one = results.comparisons.size() == 1;
  const Times times = times_of(results);
  Page page = alarms(results);
  page.push_back(summary(results));
  if (results.comparisons.empty()) return page;
  const bool placed = !on_each_gpu(results.comparisons).empty();
  const bool split = !splits_in(results.comparisons).empty();
  append(page, one      ? variant_rows(results.comparisons.front(), room.rows)
               : placed ? gpu_rows(results.comparisons, room.rows)
               : split  ? split_rows(results.comparisons, room.rows)
                        : workload_rows(results.comparisons, room.rows));
  if (one) add_advice(page, results.comparisons.front(), times, room.details);
  add_answers(page, results, one ? 2 : 3);
  add_doubts(page, results, one ? 3 : 5);
  if (!more.empty()) page.push_back(limited("More", more, 2));
  return page;
}

}  // namespace

std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all) {
  constexpr std::size_t widest = 30;
  return clipped(label_among(comparison, all), widest);
}

Page screen_page(const Results& results, const std::string& more) {
  constexpr std::size_t few_rows = 6;  // before details are dropped
  const bool one = results.comparisons.size() == 1;
  const std::size_t lines = one ? screen_lines_of_one : screen_lines;
  const bool row_each = one || splits_in(results.comparisons).size() == 1;
  Room room{row_each ? results.comparisons.front().measurements.size()
                     : results.comparisons.size()};
  Page page = laid_out(results, more, room);
  for (std::size_t now = lines_of(page); now > lines; now = lines_of(page)) {
    const std::size_t fewest = one && room.details > 0 ? few_rows : 1;
    if (room.rows > fewest) {
      room.rows = std::max(fewest, room.rows - std::min(room.rows, now - lines));
    } else if (one && room.details > 0) {
      --room.details;
    } else {
      break;
    }
    page = laid_out(results, more, room);
  }
  return page;
}

Page answers_page(const Results& results) {
  Page page = alarms(results);
  for (const Comparison& comparison : results.comparisons) {
    page.push_back(LabelledText{row_label(comparison, results.comparisons),
                                capitalised(choose(comparison, times_of(results)).said)});
  }
  for (const auto& [question, answer] : answers_to(results.comparisons)) {
    page.push_back(LabelledText{question, answer});
  }
  return page;
}

}  // namespace trilane
