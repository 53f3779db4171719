#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

/// Returns true if the variant's time to submit includes waiting. For an application's candidates
/// it does not: their waits are not counted.
bool waits_in_submit(const Comparison& comparison, const Measurement& m) {
  return m.plan.blocks && comparison.workload.origin() != Origin::recording;
}

void add_replay(Page& page, const Comparison& comparison) {
  if (comparison.workload.origin() != Origin::recording) return;
  page.push_back(Bullet{
      "Checked: from the same start, every candidate leaves the same bytes as the same calls."});
  page.push_back(Bullet{
      "Submit: the host's calls without its waits. Wall: an iteration with the application's own "
      "time between calls."});
}

/// With a full queue submit waits for the device, even if the plan says that it does not block.
void add_full_queue(Page& page, const Workload& workload) {
  constexpr std::uint64_t full = 1000;
  const std::uint64_t on_lane = workload.operations() / workload.used_lanes();
  if (on_lane < full) return;
  page.push_back(
      Bullet{fmt::format("Each lane gets {} operations a pass. From about {} on the queue is full, "
                         "and submit includes waiting for the device.",
                         on_lane, full)});
}

/// Explains the intervals, and gives each variant's means in the fastest and the slowest process.
void add_processes(Page& page, const Comparison& comparison) {
  if (comparison.processes < 2 || is_predicted(comparison)) return;
  constexpr std::uint32_t few = 6;
  std::string text = fmt::format(
      "Intervals are for another run of {} processes: Student's t with {} of freedom.{} "
      "Set-up is the median over processes; the limit is that of the fastest process.",
      comparison.processes, counted(comparison.processes - 1, "degree"),
      comparison.processes < few ? " With so few processes they are wide." : "");
  std::vector<std::string> spreads;
  for (const Measurement& m : comparison.measurements) {
    if (!was_timed(m)) continue;
    const auto means = process_times(m.samples);
    const auto [least, most] = std::ranges::minmax(std::views::values(means));
    spreads.push_back(fmt::format("{} {} to {}", m.variant, format_us(least), format_us(most)));
  }
  page.push_back(Bullet{text});
  if (spreads.empty()) return;
  page.push_back(
      Bullet{fmt::format("Means of the processes in us: {}.", fmt::join(spreads, ", "))});
}

void add_agreement(Page& page, const Comparison& comparison) {
  if (!comparison.workload.pipeline || is_predicted(comparison)) return;
  page.push_back(
      Bullet{"Checked: every variant leaves the same data as serial, and two runs of serial agree. "
             "Only a reference file can show that the kernels compute the right data."});
}

void add_dropped(Page& page, const Comparison& comparison) {
  std::vector<std::string> names;
  for (const Measurement& m : comparison.measurements) {
    if (!m.dropped_after) continue;
    names.push_back(fmt::format("{} after {}", m.variant, counted(*m.dropped_after, "round")));
  }
  if (names.empty()) return;
  page.push_back(Bullet{
      fmt::format("Dropped, because they were clearly slower than the best of their tier: {}.",
                  fmt::join(names, ", "))});
}

Page notes(const Comparison& comparison, bool simulated) {
  Page page;
  bool blocks = false;
  for (const Measurement& m : comparison.measurements) {
    blocks |= waits_in_submit(comparison, m);
    if (!m.message.empty()) page.push_back(Bullet{m.variant + ": " + m.message});
  }
  if (blocks) page.push_back(Bullet{"Variants with a star wait for the device in submit."});
  add_agreement(page, comparison);
  add_replay(page, comparison);
  add_dropped(page, comparison);
  add_processes(page, comparison);
  add_full_queue(page, comparison.workload);
  if (does_least_work(comparison)) {
    page.push_back(
        Bullet{"Kernels do the least work, 1 round; --kernel-time or --rounds makes them longer."});
  }
  if (comparison.requested_kernel_us > 0 && comparison.limit) {
    page.push_back(Bullet{fmt::format(
        "Kernel time: {} us requested, {} us {}, with {}.",
        format_us(comparison.requested_kernel_us),
        format_us(comparison.limit->kernels_us / comparison.workload.depth),
        simulated ? "simulated" : "measured", counted(comparison.workload.rounds, "round"))});
  }
  return page;
}

Unit unit_for(const Comparison& comparison) {
  double longest = 0;
  for (const Measurement& m : comparison.measurements) {
    if (!m.wall) continue;
    longest = std::max({longest, m.submit->mean, m.device->mean, m.wall->mean, m.wall->p99});
  }
  return unit_up_to(longest);
}

std::string speed_column(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (!m.wall) return "no samples";
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio) return "-";
  const Ratio& ratio = *m.ratio;
  if (!decides(ratio)) return range_words(ratio.covers).undecided;
  return fmt::format("{} [{}, {}]",
                     ratio.tie() ? range_words(ratio.covers).tie : short_speed(1 / ratio.estimate),
                     short_speed(1 / ratio.high), short_speed(1 / ratio.low));
}

std::string speed_head(const std::string& reference) {
  if (reference.empty()) return "result";
  // With a longer name the heading would be wider than its column.
  return "speed vs " + (reference.size() <= 11 ? reference : "reference");
}

struct TimesColumn {
  std::string head;
  std::function<std::string(const Measurement&)> cell;
  bool needs_times = false;  ///< "-" for a variant without times
};

std::vector<TimesColumn> times_columns(const Comparison& comparison) {
  const auto time = [unit = unit_for(comparison)](double us) { return short_time(us / unit.us); };
  std::vector<TimesColumn> columns{
      {"variant",
       [&](auto& m) { return m.variant + (waits_in_submit(comparison, m) ? " *" : ""); }},
      {">submit", [=](auto& m) { return time(m.submit->mean); }, true},
      {">device", [=](auto& m) { return time(m.device->mean); }, true},
      {">wall", [=](auto& m) { return time(m.wall->mean); }, true},
      {">quartiles", [=](auto& m) { return time(m.wall->q1) + " to " + time(m.wall->q3); }, true},
      {">p99", [=](auto& m) { return time(m.wall->p99); }, true},
      {speed_head(comparison.reference), [&](auto& m) { return speed_column(comparison, m); }}};
  if (comparison.workload.origin() != Origin::recording) {
    columns.push_back({"tier", [](auto& m) { return name_of(tier_of(m.plan.model)); }});
  }
  return columns;
}

Table times_of(const Comparison& comparison) {
  Table times{{}, {}, {"tier", ">quartiles", ">p99"}};
  times.rows.resize(comparison.measurements.size());
  for (const TimesColumn& column : times_columns(comparison)) {
    times.heads.push_back(column.head);
    for (std::size_t i = 0; i < times.rows.size(); ++i) {
      const Measurement& m = comparison.measurements[i];
      const bool shown = !column.needs_times || (m.status == Status::ok && m.wall);
      times.rows[i].push_back(shown ? column.cell(m) : "-");
    }
  }
  return times;
}

std::string how_it_stopped(const std::string& stopped) {
  if (stopped == "predicted") return ", predicted and not checked";
  if (stopped == "precision") return ", until the precision was reached";
  if (stopped == "time") return ", until the time was up";
  if (stopped == "interrupted") return ", then interrupted";
  if (stopped == "error") return ", then stopped by errors";
  if (stopped == "lost") return ", until an error left the GPU unusable";
  return "";
}

/// A batch of one pass is latency, whatever was requested.
std::string mode_of(const Comparison& comparison) {
  if (comparison.mode == Mode::latency) return "Latency";
  if (comparison.batch > 1) {
    return "Throughput, batches of " + counted(comparison.batch, "pass");
  }
  return "Latency, because these passes are too long to queue two of them";
}

std::string how_it_ran(const Comparison& comparison, const std::string& simulated) {
  const bool latency = comparison.mode == Mode::latency || comparison.batch == 1;
  std::size_t samples = 0;
  std::uint32_t aside = 0;
  for (const Measurement& m : comparison.measurements) {
    samples = std::max(samples, m.samples.size());
    aside = std::max(aside, rounds_in(m.set_aside));
  }
  const std::string slow =
      aside == 0
          ? ""
          : fmt::format(" {} excluded, because the host's core was slow.", counted(aside, "round"));
  const bool replayed = comparison.workload.origin() == Origin::recording;
  const char* const timed = !latency ? "timed batch" : replayed ? "timed iteration" : "timed pass";
  return fmt::format(
      "{}{}: {}{} in {:.1f} s{}; {} per variant, seed {}. Means in {}{}; quartiles and p99 of "
      "the wall time.{}{}",
      simulated.empty() ? "" : fmt::format("Simulated {}. ", simulated), mode_of(comparison),
      comparison.processes > 1 ? fmt::format("{} processes, ", comparison.processes) : "",
      counted(comparison.rounds, "round"), comparison.seconds, how_it_stopped(comparison.stopped),
      counted(samples, timed), comparison.seed, unit_for(comparison).name,
      simulated.empty() ? "" : ", simulated", slow,
      covers_of(comparison) == Covers::rounds ? " Intervals cover only this process." : "");
}

}  // namespace

bool does_least_work(const Comparison& comparison) {
  const Workload& workload = comparison.workload;
  return workload.name == "custom" && workload.rounds == 1 && comparison.requested_kernel_us == 0;
}

Page times_page(const Comparison& comparison, const std::string& simulated) {
  Page page{Heading{comparison.workload.label(), comparison.workload.shape()},
            Paragraph{how_it_ran(comparison, simulated)}, times_of(comparison)};
  append(page, notes(comparison, !simulated.empty()));
  return page;
}

}  // namespace trilane
