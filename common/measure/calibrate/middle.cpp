#include <cmath>

#include "common/base/json/members.hpp"
#include "common/measure/calibrate/probes.hpp"

namespace trilane {

namespace {

/// Collects the measured figures of a profile, all doubles, always in the same order.
struct Figures {
  explicit Figures(Profile& profile) { look(profile); }

  std::vector<double*> found{};

  void look(double& figure) { found.push_back(&figure); }
  void look(std::map<std::string, double>& figures) {
    for (auto& [name, figure] : figures) look(figure);
  }
  template <typename Entry>
  void look(std::array<Entry, stage_kinds>& table) {
    for (Entry& entry : table) look(entry);
  }
  template <typename Entry>
  void look(std::vector<Entry>& list) {
    for (Entry& entry : list) look(entry);
  }
  template <typename Record>
  void look(Record& record) {
    if constexpr (Described<Record>) {
      for_each_member<Record>([&](const char*, auto member) { look(record.*member); });
    }
  }
};

}  // namespace

Profile middle(const std::vector<Profile>& profiles) {
  std::vector<Profile> all = profiles;
  std::vector<std::vector<double*>> figures;
  for (Profile& profile : all) figures.push_back(Figures(profile).found);
  Profile result = profiles.front();
  const std::vector<double*> results = Figures(result).found;
  for (std::size_t figure = 0; figure < results.size(); ++figure) {
    std::vector<double> values;
    for (const auto& one : figures) values.push_back(*one.at(figure));
    constexpr double digits = 1e5;  // further digits are noise
    *results[figure] = std::round(median(values) * digits) / digits;
  }
  return result;
}

}  // namespace trilane
