#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

/// Fewer graphs may be meant, such as one for each of a few shapes.
constexpr std::uint64_t few = 8, least_taken = std::uint64_t{1} << 20;

double each(double us, std::uint64_t count) {
  return us / static_cast<double>(std::max<std::uint64_t>(1, count));
}

std::string shown_place(const std::string& place, std::size_t most) {
  return place.empty() ? "an unknown line" : clipped(place, most);
}

std::string pays_after(const ExecutablesAt& graphs, const char* before, const char* behind) {
  return graphs.pays_after ? fmt::format("{}{:.0f}{}", before, *graphs.pays_after, behind) : "";
}

constexpr std::size_t most_line = 70, most_line_in_table = 40, most_growths = 20;
constexpr std::uint64_t too_much = std::uint64_t{64} << 20;  // twice what a pool takes at least
constexpr std::uint64_t often = 5;                           // growths
constexpr std::size_t fewest_samples = 8;

/// Returns the most that the pool reserved in the first quarters of its samples.
std::uint64_t most_in(std::size_t quarters, const RecordedPool& pool) {
  return std::ranges::max(pool.samples | std::views::take(pool.samples.size() * quarters / 4));
}

/// Returns true if the pool grew in the last quarter of its samples, and much since the second.
bool still_grows(const RecordedPool& pool) {
  if (pool.samples.size() < fewest_samples) return false;
  return most_in(4, pool) > most_in(3, pool) && most_in(4, pool) >= most_in(2, pool) + too_much;
}

double held_for_each_used(const RecordedPool& pool) {
  return static_cast<double>(pool.reserved_most) /
         static_cast<double>(std::max<std::uint64_t>(pool.used_most, 1));
}

bool holds_too_much(const RecordedPool& pool) {
  return held_for_each_used(pool) > 1.5 && pool.reserved_most >= pool.used_most + too_much;
}

bool gives_back(const RecordedPool& pool) {
  return std::ranges::any_of(pool.growth, [](const PoolGrowth& one) {
    return one.cause == GrowthCause::given_back && one.count >= often;
  });
}

/// Returns why the pool took more memory, and what to do about it.
const char* in_words(GrowthCause cause) {
  switch (cause) {
    case GrowthCause::needed: return "more was in use than before. Free what is no longer needed.";
    case GrowthCause::other_stream:
      return "enough was free in another stream. Free it in the stream that allocates next, or let "
             "that wait for an event recorded after the free.";
    case GrowthCause::sizes:
      return "each free block was too small. Allocate the largest size once, or use few sizes.";
    case GrowthCause::given_back:
      return "a wait had released it. Set cudaMemPoolAttrReleaseThreshold to what the loop uses.";
    case GrowthCause::unheard: break;
  }
  return "the cause is not known.";
}

/// Returns what most growth is due to: apart from what was needed, unless the pool is near that.
const PoolGrowth* main_growth(const RecordedPool& pool) {
  const bool of_use = !holds_too_much(pool) && !gives_back(pool);
  const auto main = std::ranges::find_if(pool.growth, [&](const PoolGrowth& one) {
    const bool needed = one.cause == GrowthCause::needed;
    return one.cause != GrowthCause::unheard && needed == of_use;
  });
  return main == pool.growth.end() ? nullptr : &*main;
}

std::string place_of(const PoolGrowth& growth, const Diagnosis& diagnosis, std::size_t most) {
  return shown_place(growth.stack ? diagnosis.pool_places[*growth.stack] : "", most);
}

}  // namespace

std::vector<std::string> graph_cost_words(const Diagnosis& diagnosis) {
  std::vector<std::string> sentences;
  for (const ExecutablesAt& graphs : diagnosis.executables) {
    const RecordedExecutables& costs = graphs.costs;
    const std::string us = time_in_words(each(costs.instantiate_us, costs.made));
    const auto say = [&](std::uint64_t count, const std::string& rest) {
      if (count <= few) return;
      sentences.push_back(fmt::format("{} of {} executable graphs made at {} {}", count, costs.made,
                                      shown_place(graphs.place, 70), rest));
    };
    const bool pile = costs.again > few && costs.reused == 0 && costs.bytes >= least_taken;
    say(pile ? costs.made - std::min(costs.made, costs.destroyed) : 0,
        fmt::format("pile up, and took {}. Make one and update it by cudaGraphExecUpdate, or "
                    "destroy each after its last launch.",
                    format_bytes(costs.bytes)));
    say(graphs.pays_after == 1 ? 0 : costs.once,
        fmt::format("were launched once: making one takes {}{}. Make one and update it by "
                    "cudaGraphExecUpdate, or by setting its nodes.",
                    us, pays_after(graphs, " and pays after ", " launches")));
    say(costs.never,
        fmt::format("were never launched: making one takes {}. Make it only for a launch.", us));
  }
  return sentences;
}

Page graph_costs_page(const Diagnosis& diagnosis) {
  if (diagnosis.executables.empty()) return {};
  Table made{{"made at", ">made", ">destroyed", ">never launched", ">once", ">nodes", ">took"}, {}};
  Table used{{"made at", ">us each", ">launches", ">us each", ">updates", ">us", ">nodes set",
              ">us", ">pays after"},
             {}};
  for (const ExecutablesAt& one : diagnosis.executables) {
    const RecordedExecutables& c = one.costs;
    const auto row = [&](auto... cells) {
      return std::vector<std::string>{shown_place(one.place, 24), fmt::to_string(cells)...};
    };
    made.rows.push_back(row(c.made, c.destroyed, c.never, c.once, c.nodes, format_bytes(c.bytes)));
    used.rows.push_back(row(format_us(each(c.instantiate_us, c.made)), c.launches,
                            format_us(each(c.launch_us, c.launches)), c.updates,
                            format_us(c.update_us), c.sets, format_us(c.set_us),
                            pays_after(one, "", "")));
  }
  Page page{Heading{"Executable graphs", ""}, std::move(made), std::move(used)};
  for (std::string& one : graph_cost_words(diagnosis)) page.push_back(Bullet{std::move(one)});
  return page;
}

std::vector<std::string> pool_words(const Diagnosis& diagnosis) {
  std::vector<std::string> all;
  for (const RecordedPool& pool : diagnosis.pools) {
    const char* const what = still_grows(pool)      ? "still grows"
                             : gives_back(pool)     ? "releases memory and takes it again"
                             : holds_too_much(pool) ? "holds more than is used"
                                                    : nullptr;
    if (!what) continue;
    all.push_back(fmt::format("A memory pool {}: reserved at most {}, used at most {}.", what,
                              format_bytes(pool.reserved_most), format_bytes(pool.used_most)));
    if (const PoolGrowth* const main = main_growth(pool)) {
      all.back() += fmt::format(" It grew {} at {}: {}", counted(main->count, "time"),
                                place_of(*main, diagnosis, most_line), in_words(main->cause));
    }
  }
  return all;
}

std::string pools_line(const Diagnosis& diagnosis) {
  if (diagnosis.pools.empty() || !pool_words(diagnosis).empty()) return "";
  const auto& pool = *std::ranges::max_element(diagnosis.pools, {}, &RecordedPool::reserved_most);
  const bool rests = pool.samples.size() >= fewest_samples && most_in(4, pool) == most_in(2, pool);
  return fmt::format("reserved at most {}, used at most {}{}", format_bytes(pool.reserved_most),
                     format_bytes(pool.used_most), rests ? ", no longer grows" : "");
}

Page pools_page(const Diagnosis& diagnosis) {
  if (diagnosis.pools.empty()) return {};
  Table pools{{"pool", ">reserved", ">at most", ">used", ">at most", ">ratio", ">keeps"}, {}};
  Table growth{{"pool", "grew at", "because of", ">times", ">by"}, {}};
  for (std::size_t i = 0; i < diagnosis.pools.size(); ++i) {
    const RecordedPool& pool = diagnosis.pools[i];
    const std::string number = fmt::to_string(i + 1);
    pools.rows.push_back({number, format_bytes(pool.reserved), format_bytes(pool.reserved_most),
                          format_bytes(pool.used), format_bytes(pool.used_most),
                          fmt::format("{:.2f}", held_for_each_used(pool)),
                          pool.threshold == UINT64_MAX ? "all" : format_bytes(pool.threshold)});
    for (const PoolGrowth& one : pool.growth) {
      if (growth.rows.size() == most_growths) break;
      growth.rows.push_back({number, place_of(one, diagnosis, most_line_in_table),
                             words_of_name(one.cause), fmt::to_string(one.count),
                             format_bytes(one.bytes)});
    }
  }
  Page page{Heading{"Memory pools", ""}, std::move(pools), std::move(growth)};
  for (const std::string& one : pool_words(diagnosis)) page.push_back(Bullet{one});
  return page;
}

}  // namespace trilane
