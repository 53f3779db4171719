#include "common/diff/same_work.hpp"

#include <fmt/format.h>

#include <string>
#include <type_traits>

#include "common/results/files/results_fields.hpp"
#include "common/results/files/results_io.hpp"

namespace trilane {
namespace {

/// A record's fields as text, named as in the file.
struct Facts {
  std::vector<Property> all{};

  template <typename Field>
  void operator()(const std::string& key, const Field& field) {
    if constexpr (std::is_same_v<Field, PoolPolicy>) {
      Facts inner;
      fields(inner, field);
      for (const auto& [name, text] : inner.all) all.emplace_back(key + "." + name, text);
    } else if constexpr (std::is_enum_v<Field>) {
      all.emplace_back(key, name_of(field));
    } else {
      all.emplace_back(key, fmt::format("{}", field));
    }
  }
  void derived(const char*, std::uint32_t) {}
};

}  // namespace

std::vector<Property> work_of(const Comparison& comparison) {
  Facts facts;
  Workload workload = comparison.workload;
  workload.modified = false;
  fields(facts, workload);
  facts("mode", comparison.mode);
  facts("batch", comparison.batch);
  facts("wait", comparison.wait);
  facts("slow_down", comparison.slow_down);
  return facts.all;
}

}  // namespace trilane
