#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/base/text/size.hpp"

namespace trilane {
namespace {

/// Fewer graphs may be meant, such as one for each of a few shapes.
constexpr std::uint64_t few = 8, least_taken = std::uint64_t{1} << 20;

double each(double us, std::uint64_t count) {
  return us / static_cast<double>(std::max<std::uint64_t>(1, count));
}

std::string place_in(const ExecutablesAt& graphs, std::size_t most) {
  return graphs.place.empty() ? "an unknown line" : clipped(graphs.place, most);
}

std::string pays_after(const ExecutablesAt& graphs, const char* before, const char* behind) {
  return graphs.pays_after ? fmt::format("{}{:.0f}{}", before, *graphs.pays_after, behind) : "";
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
                                      place_in(graphs, 70), rest));
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
      return std::vector<std::string>{place_in(one, 24), fmt::to_string(cells)...};
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

}  // namespace trilane
