#include "common/explain/report/profile_pages.hpp"

#include "common/base/json/figures.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

/// How much of a figure its noise may be, before a wrong order of two figures is odd.
constexpr double noise = 0.1;

void add_falling(std::vector<std::string>& odd, const Profile& profile, Kind kind) {
  const std::vector<SizeCost>& costs = profile.engine.duration[index_of(kind)];
  for (std::size_t i = 1; i < costs.size(); ++i) {
    const SizeCost &less = costs[i - 1], &more = costs[i];
    // A large memset is a kernel, and may take less time than a smaller one that is not.
    const std::uint64_t kernel_bytes = profile.stream.kernel_memset_bytes();
    const bool changes = less.bytes < kernel_bytes && more.bytes >= kernel_bytes;
    if (more.us >= (1 - noise) * less.us || (kind == Kind::memset && changes)) continue;
    odd.push_back(fmt::format("engine.duration: a {} of {} takes {}, of {} {}",
                              stage_names[index_of(kind)], format_bytes(less.bytes),
                              time_in_words(less.us), format_bytes(more.bytes),
                              time_in_words(more.us)));
  }
}

void add_rates(std::vector<std::string>& odd, const Profile& profile, Kind copy, double alone,
               double duplex) {
  const char* const name = stage_names[index_of(copy)];
  if (duplex > (1 + noise) * alone) {
    odd.push_back(
        fmt::format("engine: a {} is faster beside one the other way, {:.1f} GB/s and {:.1f}", name,
                    duplex, alone));
  }
  const SizeCost& largest = profile.engine.duration[index_of(copy)].back();
  const double rate = static_cast<double>(largest.bytes) / largest.us * 1e-3;
  if (std::abs(rate - alone) > noise * alone) {
    odd.push_back(fmt::format("engine: the rate of a {} is {:.1f} GB/s, that of its largest {:.1f}",
                              name, alone, rate));
  }
}

void add_faster_kernels(std::vector<std::string>& odd, const Profile& profile) {
  const auto takes = [](const KernelCost& kernel) {
    return fmt::format("{} to {} words take {}", kernel.words, kernel.outputs,
                       time_in_words(kernel.us));
  };
  const KernelCost* before = nullptr;
  for (const KernelCost& kernel : profile.kernels) {
    if (kernel.reduces) continue;
    if (before && kernel.words > before->words && kernel.us < (1 - noise) * before->us) {
      odd.push_back(fmt::format("kernels: {}, {}", takes(*before), takes(kernel)));
    }
    before = &kernel;
  }
}

std::vector<std::string> error_row(const char* where, const auto& errors) {
  std::vector<std::string> row{where};
  for (const auto& error : {errors.same_operations, errors.moved_together, errors.rewritten}) {
    row.push_back(error ? fmt::format("{:.3f} ({})", error->factor, error->cases) : "-");
  }
  return row;
}

/// How many times larger the larger of two figures is.
double apart(double one, double other) {
  if (one == other) return 1;
  const auto [least, most] = std::minmax(one, other);
  return least > 0 ? most / least : std::numeric_limits<double>::infinity();
}

}  // namespace

std::vector<std::string> oddities(const Profile& profile) {
  std::vector<std::string> odd;
  for (const auto& [call, us] : profile.calls_us) {
    if (us == 0) odd.push_back(fmt::format("calls_us: {} takes no time", call));
  }
  for (const Kind kind : {Kind::copy_in, Kind::memset, Kind::copy_out}) {
    add_falling(odd, profile, kind);
  }
  const auto& engine = profile.engine;
  add_rates(odd, profile, Kind::copy_in, engine.in_gbps, engine.duplex_in_gbps);
  add_rates(odd, profile, Kind::copy_out, engine.out_gbps, engine.duplex_out_gbps);
  add_faster_kernels(odd, profile);
  return odd;
}

Page error_page(const ModelError& error) {
  Table table{{"limited by", ">same operations", ">moved together", ">rewritten"}, {}};
  for (const auto& [where, errors] : {std::pair("kernels", &error.kernels),
                                      {"copies", &error.copies},
                                      {"overheads", &error.overheads}}) {
    if (*errors) table.rows.push_back(error_row(where, **errors));
  }
  table.rows.push_back(error_row("any", error));
  Page page{
      Paragraph{fmt::format("Predicted against measured ({}): in 95% of cases the ratio of two "
                            "variants was within this factor (of so many cases).",
                            error.measured)},
      std::move(table)};
  page.push_back(Paragraph{error.break_even
                               ? fmt::format("Passes to break-even: within {:.3f} ({}).",
                                             error.break_even->factor, error.break_even->cases)
                               : "No case of passes to break-even."});
  return page;
}

Page profile_page(const Profile& profile) {
  Page page{Heading{profile.name, "calibrated " + profile.calibrated},
            Paragraph{fmt::format("{} SMs, {} of memory, CUDA {}.{}; measured by revision {}.",
                                  profile.multiprocessors, format_bytes(profile.memory_bytes),
                                  profile.driver_version / 1000, profile.driver_version % 1000 / 10,
                                  profile.revision)}};
  if (profile.error) {
    append(page, error_page(*profile.error));
  } else {
    page.push_back(
        Paragraph{"No prediction with it was compared with the GPU, so every difference is "
                  "inconclusive: trilane-sim validate."});
  }
  const std::vector<std::string> odd = oddities(profile);
  page.push_back(Paragraph{odd.empty() ? "Nothing in it is odd." : "What is odd in it:"});
  for (const std::string& one : odd) page.push_back(Bullet{one});
  return page;
}

Page profiles_page(Profile before, Profile now, double same_within) {
  before.error = now.error = std::nullopt;
  std::map<std::string, double> old;
  for (const NamedFigure& one : figures_of(before)) old.emplace(one.name, *one.value);
  std::multimap<double, std::vector<std::string>, std::greater<>> rows;
  std::vector<std::string> only_now;
  std::size_t both = 0;
  for (const NamedFigure& one : figures_of(now)) {
    const auto found = old.extract(one.name);
    if (!found) {
      only_now.push_back(one.name);
      continue;
    }
    ++both;
    const double was = found.mapped(), times = apart(was, *one.value);
    if (times <= 1 + same_within) continue;
    rows.emplace(
        times, std::vector{one.name, fmt::format("{:.4g}", was), fmt::format("{:.4g}", *one.value),
                           was > 0 ? fmt::format("{:.2f}x", *one.value / was) : "-"});
  }
  const auto origin = [](const char* side, const Profile& profile) {
    return LabelledText{side, fmt::format("{}, {} SMs, CUDA {}.{}, calibrated {}", profile.name,
                                          profile.multiprocessors, profile.driver_version / 1000,
                                          profile.driver_version % 1000 / 10, profile.calibrated)};
  };
  Page page{Heading{"New beside old", "two profiles, figure by figure"}, origin("old", before),
            origin("new", now)};
  const std::size_t count = rows.size();
  if (count > 0) {
    Table table{{"figure", ">old", ">new", ">new/old"}, {}};
    for (auto& [times, row] : rows) table.rows.push_back(std::move(row));
    page.push_back(std::move(table));
  }
  page.push_back(
      Paragraph{fmt::format("{} of {} differ by more than {}. Times are in us, rates in GB/s.",
                            count, counted(both, "figure"), percent(same_within))});
  const auto only_in = [&](const char* side, const std::vector<std::string>& names) {
    if (names.empty()) return;
    page.push_back(Paragraph{fmt::format("Only in the {}: {}.", side, shortened(names))});
  };
  only_in("old", transformed(old, [](const auto& one) { return one.first; }));
  only_in("new", only_now);
  return page;
}

}  // namespace trilane
