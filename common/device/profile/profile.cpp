#include "common/device/profile/profile.hpp"

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/json/members.hpp"
#include "common/base/json/misfit.hpp"
#include "common/base/text/choice.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {

template <typename Entry>
struct EntryNames<std::array<Entry, stage_kinds>> {
  static constexpr auto& names = stage_names;
};

namespace {

constexpr Schema schema{"trilane-profile", 1, 1};

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw UsageError(
      fmt::format("{}: {}; give a device profile from trilane calibrate", source, what));
}

void check(const std::vector<SizeCost>& costs) {
  if (costs.empty()) misfit("has no entry");
  const auto last =
      std::ranges::adjacent_find(costs, std::ranges::greater_equal(), &SizeCost::bytes);
  if (last == costs.end()) return;
  throw Misfit{fmt::format("[{}].bytes", last - costs.begin() + 1),
               fmt::format("is {} and must be above {}, that of the entry before", last[1].bytes,
                           last->bytes)};
}

/// Calls that need a time in a profile; without one a call would cost nothing.
const std::vector<std::string> needed_calls{
    "cudaEventCreateWithFlags",  "cudaEventDestroy",      "cudaEventRecord",
    "cudaGraphExecDestroy",      "cudaGraphInstantiate",  "cudaGraphLaunch",
    "cudaGraphUpload",           "cudaMemPoolCreate",     "cudaMemPoolDestroy",
    "cudaStreamCreateWithFlags", "cudaStreamDestroy",     "cudaStreamEndCapture",
    "cudaStreamQuery",           "cudaStreamSynchronize", "cudaStreamWaitEvent"};

/// Further names that calibration writes; the simulator replaces those missing from older profiles.
const std::vector<std::string> further_calls{"batched copy",
                                             "capture",
                                             "update",
                                             "cudaGraphAddKernelNode",
                                             "cudaGraphAddMemcpyNode1D",
                                             "cudaGraphAddMemsetNode",
                                             "cudaGraphExecKernelNodeSetParams",
                                             "cudaGraphExecMemcpyNodeSetParams1D",
                                             "cudaGraphExecMemsetNodeSetParams",
                                             "cudaGraphExecUpdate",
                                             "cudaMemcpyBatchAsync"};

/// Returns true if the name is "launch of 64 kernel nodes", with any number.
bool is_launch(std::string_view name) {
  constexpr std::string_view start = "launch of ", end = " nodes";
  if (!name.starts_with(start) || !name.ends_with(end)) return false;
  name = name.substr(start.size(), name.size() - start.size() - end.size());
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits == 0 || digits == name.npos || name[digits] != ' ') return false;
  return std::ranges::find(stage_names, name.substr(digits + 1)) != stage_names.end();
}

void check_call(const std::string& name) {
  std::vector<std::string> known = needed_calls;
  known.insert(known.end(), further_calls.begin(), further_calls.end());
  if (is_launch(name) || std::ranges::find(known, name) != known.end()) return;
  const std::string meant = closest(name, known);
  misfit(fmt::format("is not known{}: if a newer version wrote the file, use that one",
                     meant.empty() ? "" : fmt::format(", but {} is", meant)));
}

/// Checks a member by its name and type, and its content.
struct MemberCheck {
  void operator()(std::string_view, const std::vector<SizeCost>& costs) const { check(costs); }
  template <typename Entry>
  void operator()(std::string_view key, const std::array<Entry, stage_kinds>& table) const {
    for (std::size_t kind = 0; kind < stage_kinds; ++kind) {
      // Kernels have no duration by size: they have separate costs.
      if (key == "duration" && kind == index_of(Kind::kernel)) continue;
      within(stage_names[kind], [&] { (*this)(key, table[kind]); });
    }
  }
  void operator()(std::string_view, const std::map<std::string, double>& costs) const {
    for (const auto& [name, us] : costs) within(name, [&] { check_call(name); });
    for (const std::string& name : needed_calls) {
      if (!costs.contains(name)) throw Misfit{step(name), "is missing"};
    }
  }
  template <Described Record>
  void operator()(std::string_view, const Record& record) const {
    for_each_member<Record>([&](auto member) {
      within(member.name, [&] { (*this)(member.name, record.*member.pointer); });
    });
  }
  void operator()(std::string_view, int number) const {
    if (number < 0) misfit(fmt::format("is {}, below 0", number));
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
}

void check(const std::vector<KernelCost>& kernels) {
  for (auto kernel = kernels.begin(); kernel != kernels.end(); ++kernel) {
    within(static_cast<std::size_t>(kernel - kernels.begin()), [&] {
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

/// Throws a Misfit with the place for:
/// - a missing or unknown call,
/// - costs by size that are missing or do not rise,
/// - an impossible or repeated kernel shape, or a kind of kernel without an entry.
void check(const Profile& profile) {
  MemberCheck()("", profile);
  within("kernels", [&] { check(profile.kernels); });
}

}  // namespace

std::string to_json(const Profile& profile) { return pretty(document_of(schema, profile)); }

Profile read_profile(const std::string& text, const std::string& source) {
  try {
    Profile profile = record_in<Profile>(parsed(text), schema);
    check(profile);
    return profile;
  } catch (const Misfit& misfit) {
    refuse(source, in_words(misfit));
  }
}

Profile load_profile(const std::string& path) {
  std::string text;
  try {
    text = content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse("--profile " + in_quotes(path), error.what());
  }
  return read_profile(text, "--profile " + in_quotes(path));
}

boost::json::object profile_json_schema() { return json_schema_of<Profile>(schema); }

}  // namespace trilane
