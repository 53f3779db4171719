#include "common/application/diagnosis/diagnosis_page.hpp"

#include "common/application/iteration/call_kinds.hpp"
#include "common/base/text/cpp_names.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/promise.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {

namespace {

/// Returns a ratio of times as a speed, "3.1x [3.0, 3.2]", or "tie".
std::string speed_of(const Ratio& ratio) {
  if (ratio.low <= 1 && ratio.high >= 1) return "tie";
  return fmt::format("{:.3g}x [{:.3g}, {:.3g}]", 1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low);
}

std::string note_on(const Model& model) {
  if (is_bound(model)) return fmt::format("a bound: {}", why_bound(model));
  switch (model.scratch) {
    case ScratchSource::pool:
      return "a pool with its release threshold raised, so that it keeps its memory";
    case ScratchSource::pass: return "memory is allocated once, which is part of the gain";
    case ScratchSource::lane:
    case ScratchSource::trimmed_pool:
    case ScratchSource::cuda_malloc:
    case ScratchSource::graph_nodes:
    case ScratchSource::none:
    case ScratchSource::recording: break;
  }
  return "";
}

std::string note_on(const Measurement& m, bool cupti_slows_graphs) {
  switch (m.status) {
    case Status::ok:
      if (cupti_slows_graphs && launches_graph(m.plan.model)) return "at least: CUPTI stayed";
      if (!m.plan.iterations || is_bound(m.plan.model)) return note_on(m.plan.model);
      return "the host sees results only once per graph";
    case Status::not_supported: return m.message;
    default: return fmt::format("{}: {}", name_of(m.status), m.message);
  }
}

/// Returns the predicted times of an iteration, and speeds relative to the application; if it was
/// not watched, medians of the replay, and speeds relative to the same calls.
Table table_of(const ReplayRecord& record) {
  const Comparison& comparison = *record.comparison;
  const bool slowed = record.threads > 0 && record.beside_cupti;
  const Measurement* const calls = find_reference(comparison);
  const bool watched = calls != nullptr && gain_of(comparison, *calls).has_value();
  Table table{
      {"candidate", watched ? ">iteration, us" : ">wall, us", ">submit, us", ">speed", "note"}, {}};
  for (const Measurement& m : comparison.measurements) {
    std::string us, submit_us, speed;
    if (m.status == Status::ok && m.wall && m.submit) {
      const auto gain = gain_of(comparison, m);
      const auto ratio = gain ? std::optional(gain->ratio) : m.ratio;
      const bool comparable = gain || !watched;
      us = comparable ? format_us(gain ? gain->candidate_us : m.wall->mean) : "";
      speed = comparable && ratio ? speed_of(*ratio) : "";
      submit_us = format_us(m.submit->mean);
    }
    table.rows.push_back({m.variant, us, submit_us, speed, note_on(m, slowed)});
  }
  return table;
}

std::string in_words_of_processes(const Comparison& comparison) {
  if (comparison.processes == 1) {
    return fmt::format(
        "One process was measured. The intervals allow for modes and for the differences between "
        "processes of other programs (standard deviation {}); --processes 5 measures them.",
        percent(between_processes, 1));
  }
  std::string text =
      fmt::format("The intervals cover the differences between {} processes", comparison.processes);
  std::vector<std::string> lacking;
  for (const Measurement& m : comparison.measurements) {
    if (m.ratio && m.ratio->covers == Covers::rounds) lacking.push_back(m.variant);
  }
  if (lacking.empty()) return text + ".";
  return fmt::format("{}, but only one of them could run {}.", text, fmt::join(lacking, ", "));
}

void add_fidelity(const ReplayRecord& record, Page& page) {
  const Measurement* const calls = find_reference(*record.comparison);
  const auto gain = calls == nullptr ? std::nullopt : gain_of(*record.comparison, *calls);
  if (gain) {
    const std::string cupti =
        record.cupti_us > 0
            ? fmt::format(" (without the {} us that CUPTI added to it)", format_us(record.cupti_us))
            : "";
    const std::vector<double> times = application_times(*record.comparison);
    const bool stays = gain->calls_us < 0.99 * gain->application_us;
    page.push_back(Bullet{fmt::format(
        "In the application an iteration takes {} us{}, the mean of {}, half of them from {} to {} "
        "us; the same calls, replayed, {} us.{}",
        format_us(gain->application_us), cupti, times.size(), format_us(quantile(times, 0.25)),
        format_us(quantile(times, 0.75)), format_us(gain->calls_us),
        stays ? " What the replay lacks is assumed to remain with each candidate." : "")});
  }
  page.push_back(Bullet{in_words_of_processes(*record.comparison)});
  if (record.overlaps) {
    page.push_back(Bullet{
        record.comparison->mode == Mode::throughput
            ? "An iteration leaves work behind, and the next one overlaps with it. Replays "
              "do the same: they are issued back to back, and a time is that of a batch."
            : "An iteration leaves work behind, and in the application the next one overlaps "
              "with it. Here each iteration is waited for, because its buffers alternate."});
  }
}

}  // namespace

std::string answer_words(const ReplayRecord& record, std::optional<double> device_us) {
  std::string text = choose_candidate(*record.comparison, device_us).said;
  if (record.in_kind) text = "for the step that was replayed: " + text;
  if (record.threads > 0) text = fmt::format("in each of {} threads: {}", record.threads, text);
  if (record.skipped_host_functions > 0) {
    text = fmt::format("without its {}, which is a bound: {}",
                       counted(record.skipped_host_functions, "host function"), text);
  }
  if (record.threads > 0 && record.beside_cupti) {
    text +=
        " Graphs gain more: beside CUPTI, which had to stay, their launches wait for each other.";
  }
  return capitalised(text);
}

std::vector<std::string> reservations_on(const ReplayRecord& record) {
  std::vector<std::string> sentences;
  for (const UncertainMemory& memory : record.uncertain) {
    sentences.push_back(fmt::format(
        "Not deterministic: {} of {} in {} differ from run to run of the same calls, and are not "
        "compared.",
        format_bytes(memory.bytes), format_bytes(memory.of_bytes), memory.memory));
  }
  if (record.in_kind) {
    sentences.push_back(
        "The steps differ, and a claim is about the one that was replayed. A graph must be set for "
        "each, and made again for one with other calls.");
  }
  if (record.skipped_host_functions > 0) {
    sentences.push_back(fmt::format(
        "The replay and the calls that it compares with leave out {} (--skip-host-functions): a "
        "gain is a bound.",
        counted(record.skipped_host_functions, "host function")));
  }
  if (record.queried) {
    sentences.push_back(
        "The application polls for completion (cudaStreamQuery, cudaEventQuery). A replay does "
        "not, and lacks the waits and the order that result.");
  }
  if (record.threads > 0) {
    sentences.push_back(fmt::format(
        "{} threads replayed the calls at once, each in memory of its own, because that many of "
        "the application's make them.",
        record.threads));
  } else if (record.others_stopped) {
    const std::string alone = record.alone_because.empty()
                                  ? ""
                                  : " Those that make the same calls could not do so at once: " +
                                        printable(record.alone_because) + ".";
    sentences.push_back(
        "One thread replayed the calls. Others stood still during the replay: they waited at their "
        "next call to the driver." +
        alone);
  }
  if (record.beside_cupti) {
    sentences.push_back(
        "CUPTI stayed in the process. It makes a graph's kernels 0.2 us longer, and its launch 0.4 "
        "us for each node, so graphs may gain more.");
  }
  return sentences;
}

std::string refusal_words(const ReplayRecord& record, std::size_t kernel_width) {
  std::string words = record.refusal;
  if (!record.refused_kernel.empty()) {
    words = fmt::format("kernel {}: {}", short_name(record.refused_kernel, kernel_width), words);
  }
  return printable(words, std::string::npos);
}

Page replay_page(const ReplayRecord& record, const std::vector<CaptureObstacle>& obstacles,
                 std::optional<double> device_us) {
  Page page{Heading{"Replay", ""}};
  if (!record.refusal.empty() || !record.comparison) {
    page.push_back(Paragraph{"Nothing is claimed: " + refusal_words(record) + "."});
  } else {
    page.push_back(LabelledText{"Answer", answer_words(record, device_us)});
    page.push_back(table_of(record));
    add_fidelity(record, page);
  }
  for (const CaptureObstacle& one : obstacles) {
    if (!is_tried(one.reason)) page.push_back(Bullet{capture_words({one}).front()});
  }
  for (const std::string& sentence : reservations_on(record)) page.push_back(Bullet{sentence});
  return page;
}

}  // namespace trilane
