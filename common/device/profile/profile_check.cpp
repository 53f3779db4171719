#include "common/device/profile/profile_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/device/profile/profile_fields.hpp"
#include "common/json/json_read.hpp"

namespace trilane {
namespace {

void check(const std::vector<SizeCost>& costs) {
  if (costs.empty()) misfit("has no entry");
  for (std::size_t i = 1; i < costs.size(); ++i) {
    if (costs[i].bytes > costs[i - 1].bytes) continue;
    throw Misfit{fmt::format("[{}].bytes", i),
                 fmt::format("is {} and must be above {}, that of the entry before", costs[i].bytes,
                             costs[i - 1].bytes)};
  }
}

/// Checks the fields of one part of a profile.
struct PartCheck {
  void operator()(const char* key, double number) {
    if (std::string_view(key).ends_with("_gbps") && !(number > 0)) {
      throw Misfit{fmt::format(".{}", key), "is 0 and must be above 0"};
    }
  }
  void operator()(const char* key, const std::vector<SizeCost>& costs) {
    within(fmt::format(".{}", key), [&] { check(costs); });
  }
  void operator()(const char* key, const StageSizes& stages) {
    within(fmt::format(".{}", key), [&] {
      for (std::size_t kind = 0; kind < stage_kinds; ++kind) {
        // Kernels have no duration by size: they have costs of their own.
        const bool elsewhere = Kind{static_cast<std::uint8_t>(kind)} == Kind::kernel &&
                               std::string_view(key) == "duration";
        if (!elsewhere) (*this)(stage_names[kind], stages[kind]);
      }
    });
  }
  void operator()(const char*, const auto&) {}
};

void check_kernel(const KernelCost& kernel) {
  if (kernel.words == 0) throw Misfit{".words", "is 0"};
  const bool fits = kernel.reduces ? kernel.outputs >= 1 && kernel.outputs < kernel.words
                                   : kernel.outputs == kernel.words;
  if (!fits) {
    throw Misfit{".outputs", fmt::format("is {}, for {} words that are {}reduced", kernel.outputs,
                                         kernel.words, kernel.reduces ? "" : "not ")};
  }
  if (kernel.share > 1) throw Misfit{".share", fmt::format("is {}, above 1", kernel.share)};
}

void check(const std::vector<KernelCost>& kernels) {
  for (auto kernel = kernels.begin(); kernel != kernels.end(); ++kernel) {
    within(fmt::format("[{}]", kernel - kernels.begin()), [&] {
      check_kernel(*kernel);
      const bool known = std::any_of(kernels.begin(), kernel, [&](const KernelCost& other) {
        return other.reduces == kernel->reduces && other.words == kernel->words &&
               other.outputs == kernel->outputs;
      });
      if (known) {
        misfit(fmt::format("has the shape of an entry before: {} words, {} outputs", kernel->words,
                           kernel->outputs));
      }
    });
  }
  for (const bool reduces : {false, true}) {
    if (std::ranges::find(kernels, reduces, &KernelCost::reduces) == kernels.end()) {
      misfit(fmt::format("has no entry that {}", reduces ? "reduces" : "does not reduce"));
    }
  }
}

}  // namespace

void check(const Profile& profile) {
  PartCheck parts;
  within(".stream", [&] { fields(parts, profile.stream); });
  within(".engine", [&] { fields(parts, profile.engine); });
  within(".memory", [&] { fields(parts, profile.memory); });
  within(".kernels", [&] { check(profile.kernels); });
}

}  // namespace trilane
