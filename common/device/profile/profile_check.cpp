#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/device/profile/profile.hpp"
#include "common/json/members.hpp"
#include "common/json/misfit.hpp"

namespace trilane {
namespace {

void check(const std::vector<SizeCost>& costs) {
  if (costs.empty()) misfit("has no entry");
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (costs[i].us < 0) throw Misfit{fmt::format("[{}].us", i), "is negative"};
    if (i == 0 || costs[i].bytes > costs[i - 1].bytes) continue;
    throw Misfit{fmt::format("[{}].bytes", i),
                 fmt::format("is {} and must be above {}, that of the entry before", costs[i].bytes,
                             costs[i - 1].bytes)};
  }
}

/// Checks a member by its name and type, and what is inside of it.
struct MemberCheck {
  void operator()(std::string_view key, double number) const {
    if (number < 0) misfit(fmt::format("is negative: {}", number));
    if (key.ends_with("_gbps") && !(number > 0)) misfit("is 0 and must be above 0");
  }
  void operator()(std::string_view, const std::vector<SizeCost>& costs) const { check(costs); }
  template <typename Entry>
  void operator()(std::string_view key, const std::array<Entry, stage_kinds>& table) const {
    for (std::size_t kind = 0; kind < stage_kinds; ++kind) {
      // Kernels have no duration by size: they have costs of their own.
      if (key == "duration" && kind == index_of(Kind::kernel)) continue;
      within(stage_names[kind], [&] { (*this)(key, table[kind]); });
    }
  }
  void operator()(std::string_view key, const std::map<std::string, double>& costs) const {
    for (const auto& [name, us] : costs) within(name, [&] { (*this)(key, us); });
  }
  template <Described Record>
  void operator()(std::string_view, const Record& record) const {
    for_each_member<Record>(
        [&](const char* key, auto member) { within(key, [&] { (*this)(key, record.*member); }); });
  }
  template <typename Record>
  void operator()(std::string_view key, const std::optional<Record>& record) const {
    if (record) (*this)(key, *record);
  }
  void operator()(std::string_view, const ErrorFactor& error) const {
    if (!(error.factor >= 1)) {
      throw Misfit{".factor", fmt::format("is {} and must be at least 1", error.factor)};
    }
  }
  void operator()(std::string_view, const auto&) const {}
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
    within(static_cast<std::size_t>(kernel - kernels.begin()), [&] {
      MemberCheck()("", *kernel);
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
  MemberCheck()("", profile);
  within("kernels", [&] { check(profile.kernels); });
}

}  // namespace trilane
