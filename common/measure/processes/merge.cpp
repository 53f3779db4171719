#include "common/measure/processes/merge.hpp"

#include "common/base/json/members.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"
#include "common/model/results/merging.hpp"

namespace trilane {
namespace {

using merging::How;
using merging::Member;

/// The records of several processes.
template <typename Record>
using Parts = std::vector<const Record*>;

struct NoOwnRules {};

template <auto member, typename Record>
const char* member_name() {
  const char* found = "";
  boost::mp11::mp_for_each<Members<Record>>([&](auto described) {
    using Described = Member<decltype(described)::pointer>;
    if (std::is_same_v<Described, Member<member>>) found = described.name;
  });
  return found;
}

/// Returns true if the record's rules name each member once.
template <Described Record>
constexpr bool rules_are_complete() {
  bool complete = true;
  boost::mp11::mp_for_each<Members<Record>>([&](auto described) {
    constexpr auto member = decltype(described)::pointer;
    const auto count = [](auto... rules) { return (rules.template names<member> + ...); };
    complete = complete && std::apply(count, merge_rules(static_cast<const Record*>(nullptr))) == 1;
  });
  return complete;
}

template <How how, auto member, typename Record, typename Own, typename HasTimes>
void merge_member(Record& result, const Parts<Record>& parts, Own& own, HasTimes has_times) {
  auto& field = result.*member;
  if constexpr (how == How::same) {
    for (const Record* part : parts) {
      if (part->*member != field) {
        throw std::invalid_argument(
            fmt::format("the processes differ in their {}", member_name<member, Record>()));
      }
    }
  } else if constexpr (how == How::last) {
    field = parts.back()->*member;
  } else if constexpr (how == How::sum) {
    field = {};
    for (const Record* part : parts) field += part->*member;
  } else if constexpr (how == How::median) {
    std::vector<double> values;
    for (const Record* part : parts) {
      if (has_times(*part)) values.push_back(part->*member);
    }
    field = values.empty() ? 0 : quantile(values, 0.5);
  } else if constexpr (how == How::joined || how == How::united) {
    field.clear();
    for (const Record* part : parts) {
      for (const auto& entry : part->*member) {
        const bool known = how == How::united && includes(field, entry);
        if (!known) field.push_back(entry);
      }
    }
  } else if constexpr (how == How::own) {
    own(Member<member>(), field);
  } else if constexpr (how == How::derived) {
    field = {};
  }
}

/// Merges the members of `parts`, which must not be empty, into `result`, a copy of the
/// representative record. `own(Member<&Record::member>, member of the result)` merges those with
/// rule `own`. Throws std::invalid_argument if parts differ in a member that must be the same.
template <Described Record, typename Own = NoOwnRules>
void merge_members(
    Record& result, const Parts<Record>& parts, Own own = {},
    bool (*has_times)(const Record&) = [](const Record&) { return true; }) {
  static_assert(rules_are_complete<Record>(),
                "merge_rules() of the record must name each of its members once");
  const auto merge_all = [&]<How how, auto... members>(merging::Rule<how, members...>) {
    (merge_member<how, members>(result, parts, own, has_times), ...);
  };
  std::apply([&](auto... rules) { (merge_all(rules), ...); }, merge_rules(&result));
}

bool has_samples(const Comparison* part) {
  return std::ranges::any_of(part->measurements,
                             [](const Measurement& m) { return !m.samples.empty(); });
}

struct ComparisonRules {
  const Parts<Comparison>& parts;

  /// Requires equal workloads. Rounds may differ, because with --kernel-time each process finds its
  /// own.
  void operator()(Member<&Comparison::workload>, const Workload& first) const {
    for (const Comparison* part : parts) {
      const Workload& other = part->workload;
      if (other.label() == first.label() && other.bytes == first.bytes) continue;
      throw std::invalid_argument(
          fmt::format("cannot merge {} with {}", other.label(), first.label()));
    }
  }
  void operator()(Member<&Comparison::processes>, std::uint32_t& processes) const {
    const auto last = std::ranges::find_if(parts.rbegin(), parts.rend(), has_samples);
    const auto measured = static_cast<std::uint32_t>(parts.rend() - last);
    processes = measured > 0 ? measured : static_cast<std::uint32_t>(parts.size());
  }
  /// Takes the smallest: with long passes, processes may queue different numbers.
  void operator()(Member<&Comparison::batch>, std::uint32_t& batch) const {
    for (const Comparison* part : parts) batch = std::min(batch, part->batch);
  }
  /// Takes the most severe reason.
  void operator()(Member<&Comparison::stopped>, std::string& stopped) const {
    for (const char* reason : {"time", "interrupted", "error", "lost"}) {
      if (includes(parts, reason, &Comparison::stopped)) stopped = reason;
    }
  }
  /// Takes the one with the lowest bound.
  void operator()(Member<&Comparison::limit>, std::optional<Limit>& lowest) const {
    for (const Comparison* part : parts) {
      const auto& limit = part->limit;
      if (limit && !(lowest && lowest->bound_us <= limit->bound_us)) lowest = limit;
    }
  }
  /// Joins the times of all, and takes the mean of CUPTI's overhead.
  void operator()(Member<&Comparison::watched>, std::optional<Watched>& watched) const {
    watched = std::nullopt;
    double cupti_us = 0, processes = 0;
    for (std::uint32_t process = 0; process < parts.size(); ++process) {
      const std::optional<Watched>& part = parts[process]->watched;
      if (!part) continue;
      if (!watched) watched.emplace();
      cupti_us += part->cupti_us;
      ++processes;
      for (WatchedTime time : part->times) {
        time.process = process;
        watched->times.push_back(time);
      }
    }
    if (watched) watched->cupti_us = cupti_us / processes;
  }
  void operator()(Member<&Comparison::measurements>, std::vector<Measurement>& all) const {
    for (Measurement& m : all) {
      m = merged_variant(transformed(
          parts, [&](const Comparison* part) { return find_variant(*part, m.variant); }));
    }
  }
};

Comparison merged(const Parts<Comparison>& parts) {
  Comparison result = *parts.front();
  merge_members(result, parts, ComparisonRules{parts});
  return result;
}

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
    for (const Measurement* m : parts) *dropped += rounds_in(m->samples);
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

Context merged(const Parts<Context>& all) {
  if (all.empty()) throw std::invalid_argument("no results to merge");
  Context context = *all.front();
  merge_members(context, all);
  return context;
}

Results merged(std::span<const Results> all) {
  static_assert(has_members<Results, 4>, "merge the new member here");
  Results result{.context = merged_context(all)};
  const auto most = std::ranges::max_element(
      all, {}, [](const Results& results) { return results.comparisons.size(); });
  for (std::size_t i = 0; i < most->comparisons.size(); ++i) {
    Parts<Comparison> parts;
    for (const Results& results : all) {
      if (i < results.comparisons.size()) parts.push_back(&results.comparisons[i]);
    }
    derive(result.comparisons.emplace_back(merged(parts)), result.context.simulated);
  }
  derive_answers(result);
  return result;
}

Measurement merged_variant(const std::vector<const Measurement*>& by_process) {
  Parts<Measurement> parts = by_process;
  std::erase(parts, nullptr);
  Measurement result = representative(parts);
  merge_members(result, parts, MeasurementRules{by_process, parts}, was_timed);
  return result;
}

}  // namespace trilane
