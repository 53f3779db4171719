#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "common/measure/processes/merge.hpp"
#include "common/measure/processes/merge_members.hpp"
#include "common/model/results/find.hpp"

namespace trilane {

namespace {

using merging::Member;

template <typename Value>
void append(std::vector<Value>& list, const std::vector<Value>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

struct PriceRules {
  const Parts<Price>& parts;

  void operator()(Member<&Price::phases>, std::vector<Series>& phases) const {
    for (std::size_t i = 0; i < phases.size(); ++i) {
      phases[i].values.clear();
      for (const Price* part : parts) append(phases[i].values, part->phases[i].values);
    }
  }

  /// The number of passes may differ, because each process fits its own into the time.
  void operator()(Member<&Price::passes_us>, std::vector<std::vector<double>>& passes) const {
    for (const Price* part : parts) {
      passes.resize(std::min(passes.size(), part->passes_us.size()));
    }
    for (std::size_t i = 0; i < passes.size(); ++i) {
      passes[i].clear();
      for (const Price* part : parts) append(passes[i], part->passes_us[i]);
    }
  }
};

std::optional<Price> merged_price(const Parts<Measurement>& parts) {
  Parts<Price> prices;
  for (const Measurement* m : parts) {
    if (!was_timed(*m) || !m->price) continue;
    const bool alike = prices.empty() || std::ranges::equal(m->price->phases, prices[0]->phases, {},
                                                            &Series::name, &Series::name);
    if (alike) prices.push_back(&*m->price);
  }
  if (prices.empty()) return std::nullopt;
  Price price = *prices.front();
  merge_members(price, prices, PriceRules{prices});
  return price;
}

struct MeasurementRules {
  const std::vector<const Measurement*>& by_process;
  const Parts<Measurement>& parts;

  void operator()(Member<&Measurement::message>, std::string& message) const {
    const auto failed = std::ranges::find_if(
        by_process, [](const Measurement* m) { return m && went_wrong(m->status); });
    if (failed == by_process.end()) return;
    message = fmt::format("process {}: {}", failed - by_process.begin() + 1, message);
  }

  void operator()(Member<&Measurement::samples>, std::vector<Sample>& samples) const {
    samples = numbered(&Measurement::samples);
  }

  void operator()(Member<&Measurement::set_aside>, std::vector<Sample>& samples) const {
    samples = numbered(&Measurement::set_aside);
  }

  /// Returns the samples of all processes, with their process's number.
  std::vector<Sample> numbered(std::vector<Sample> Measurement::*part) const {
    std::vector<Sample> samples;
    for (std::uint32_t process = 0; process < by_process.size(); ++process) {
      if (!by_process[process]) continue;
      for (Sample sample : by_process[process]->*part) {
        sample.process = process;
        samples.push_back(sample);
      }
    }
    return samples;
  }

  /// Takes the rounds in all processes, if any process dropped it.
  void operator()(Member<&Measurement::dropped_after>,
                  std::optional<std::uint32_t>& dropped) const {
    const bool any = std::ranges::any_of(
        parts, [](const Measurement* m) { return m->dropped_after.has_value(); });
    dropped.reset();
    if (!any) return;
    dropped = 0;
    for (const Measurement* m : parts) *dropped += rounds_of(*m);
  }

  void operator()(Member<&Measurement::price>, std::optional<Price>& price) const {
    price = merged_price(parts);
  }
};

/// Returns the first failed measurement, otherwise the first with times.
const Measurement& representative(const Parts<Measurement>& parts) {
  const auto failed = std::ranges::find_if(parts, went_wrong, &Measurement::status);
  if (failed != parts.end()) return **failed;
  const auto measured =
      std::ranges::find_if(parts, [](const Measurement* m) { return was_timed(*m); });
  return measured != parts.end() ? **measured : *parts.front();
}

}  // namespace

Measurement merged_variant(const std::vector<const Measurement*>& by_process) {
  Parts<Measurement> parts;
  std::ranges::copy_if(by_process, std::back_inserter(parts),
                       [](const Measurement* m) { return m != nullptr; });
  Measurement result = representative(parts);
  merge_members(result, parts, MeasurementRules{by_process, parts}, was_timed);
  return result;
}

}  // namespace trilane
