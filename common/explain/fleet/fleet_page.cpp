#include <boost/json/parse.hpp>

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/fleet/fleet_parts.hpp"

namespace trilane {
namespace {

/// The most rows or bullets of a section.
constexpr std::size_t most_listed = 40;

Page section(const FleetWorkload& workload) {
  double longest = 0;
  for (const FleetVariant& variant : workload.variants) longest = std::max(longest, variant.us);
  const Unit unit = unit_up_to(longest);
  Table table{{"variant", ">" + std::string(unit.name), "speed vs " + workload.reference,
               "slowest to fastest GPU", ">faster on", ">slower on", ">GPUs"},
              {},
              {">slower on"}};
  for (const FleetVariant& variant : workload.variants) {
    std::vector<std::string> row{variant.variant,
                                 short_time(variant.us / unit.us),
                                 "-",
                                 "-",
                                 fmt::to_string(variant.faster),
                                 fmt::to_string(variant.slower),
                                 fmt::to_string(variant.machines)};
    if (const auto& ratio = variant.ratio) {
      row[2] = fmt::format("{} [{}, {}]", short_speed(1 / ratio->estimate),
                           short_speed(1 / ratio->high), short_speed(1 / ratio->low));
      row[3] = fmt::format("{} to {}", short_speed(1 / ratio->most), short_speed(1 / ratio->least));
    }
    table.rows.push_back(std::move(row));
  }
  return {Heading{workload.workload, "medians over GPUs, and intervals for another such fleet"},
          std::move(table), Paragraph{workload.verdict}};
}

Page odd_machines(const Fleet& fleet) {
  if (fleet.odd.empty()) return {};
  Page page{Heading{"GPUs that differ from the others", "times, relative to theirs"}};
  for (const OddMachine& odd : fleet.odd) {
    if (page.size() > most_listed) break;
    const FleetMachine& machine =
        *std::ranges::find(fleet.machines, odd.machine, &FleetMachine::name);
    const std::vector<std::string> parts = transformed(odd.figures, difference_in_words);
    std::string text = fmt::format("{}: {}.", odd.machine, shortened(parts, 5));
    for (const OddSetting& setting : fleet.settings) {
      const auto& others = setting.machines;
      if (!includes(others, odd.machine)) continue;
      text += fmt::format(" {}: {} (most: {}).", setting.name, setting.value, setting.usual);
    }
    for (const auto& part : {machine.gpu, machine.uuid, machine.driver}) {
      if (!part.empty()) text += " " + part + ".";
    }
    page.push_back(Bullet{std::move(text)});
  }
  return page;
}

Page settings(const Fleet& fleet) {
  Page page;
  for (const OddSetting& odd : fleet.settings) {
    if (page.size() >= most_listed) break;
    page.push_back(Bullet{fmt::format("{}: {} on {}; {} on most.", odd.name, odd.value,
                                      shortened(odd.machines), odd.usual)});
  }
  if (!page.empty()) page.insert(page.begin(), Heading{"Settings that differ", ""});
  return page;
}

}  // namespace

Page left_out_page(const std::vector<LeftOut>& left_out) {
  if (left_out.empty()) return {};
  Page page{Heading{"Left out", ""}};
  for (const LeftOut& out : left_out) {
    if (page.size() > most_listed) {
      page.push_back(Bullet{fmt::format("and {} more", left_out.size() - most_listed)});
      break;
    }
    page.push_back(Bullet{fmt::format("{}: {}", out.file, out.why)});
  }
  return page;
}

Page fleet_page(const Fleet& fleet) {
  Page page;
  for (const FleetWorkload& workload : fleet.workloads) append(page, section(workload));
  append(page, odd_machines(fleet));
  append(page, settings(fleet));
  append(page, left_out_page(fleet.left_out));
  page.push_back(Paragraph{fleet.verdict});
  return page;
}

std::string to_json(const Fleet& fleet, std::string runs) {
  std::string head = pretty(document_of(fleet_schema, fleet));
  head.erase(head.rfind('\n', head.size() - 2));  // the closing brace
  head += ",\n  \"runs\": [\n";
  runs.insert(0, head);  // in place, because it is long
  return std::move(runs += "\n  ]\n}\n");
}

boost::json::object fleet_json_schema() {
  boost::json::object schema = json_schema_of<Fleet>(fleet_schema);
  const boost::json::value run{{"type", "object"},
                               {"properties", {{"schema", {{"const", "trilane-results"}}}}}};
  schema.at("properties").as_object()["runs"] = {{"type", "array"}, {"items", run}};
  schema.at("required").as_array().emplace_back("runs");
  return schema;
}

std::optional<std::vector<std::string>> runs_of_fleet(const std::string& text) {
  constexpr std::size_t header = 200;
  if (text.substr(0, header).find(fleet_schema.name) == std::string::npos) return std::nullopt;
  try {
    const boost::json::value document = parsed(text);
    ObjectReader reader(document);
    return transformed(array_in(reader.at("runs")),
                       [](const boost::json::value& run) { return pretty(run); });
  } catch (const Misfit& misfit) {
    throw std::invalid_argument("fleet file: " + in_words(misfit));
  }
}

}  // namespace trilane
