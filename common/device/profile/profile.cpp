#include "common/device/profile/profile.hpp"

#include <regex>

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

struct Figures {
  double us = 0, round_us = 0, share = 1;
};

/// Returns the value at `x` on the line through (x0, y0) and (x1, y1) with logarithmic axes. A
/// figure that is not above 0 has no logarithm: y is then linear, and stays at y1 beyond x1.
double on_line(double x, double x0, double y0, double x1, double y1) {
  const double part = std::log(x / x0) / std::log(x1 / x0);
  if (y0 > 0 && y1 > 0) return y0 * std::pow(y1 / y0, part);
  return std::lerp(y0, y1, std::min(part, 1.0));
}

/// One dimension of a kernel's size, of which only some values were measured.
using Axis = std::uint64_t KernelCost::*;

/// Interpolates between the chosen kernels on both sides of a size, or extrapolates from the two
/// largest; below the smallest size, returns its figures. `figures` returns those of a kernel.
template <typename Chosen, typename Of>
Figures figures_at(const std::vector<KernelCost>& kernels, Chosen chosen, Axis axis,
                   std::uint64_t size, Of figures) {
  std::map<std::uint64_t, const KernelCost*> by_size;
  for (const KernelCost& kernel : kernels) {
    if (chosen(kernel)) by_size.try_emplace(kernel.*axis, &kernel);
  }
  if (by_size.empty()) return {};
  auto upper = by_size.lower_bound(size);
  if (upper == by_size.end()) --upper;
  const Figures high = figures(*upper->second);
  if (upper == by_size.begin()) return high;
  const auto lower = std::prev(upper);
  const Figures low = figures(*lower->second);
  const auto at = [&](double Figures::*figure) {
    return on_line(static_cast<double>(size), static_cast<double>(lower->first), low.*figure,
                   static_cast<double>(upper->first), high.*figure);
  };
  return {at(&Figures::us), at(&Figures::round_us), at(&Figures::share)};
}

constexpr Schema schema{profile_schema_name, 1, 1};

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
bool is_launch(const std::string& name) {
  static const std::regex form(
      fmt::format("launch of [0-9]+ ({}) nodes", fmt::join(stage_names, "|")));
  return std::regex_match(name, form);
}

void check_call(const std::string& name) {
  std::vector<std::string> known = needed_calls;
  known.insert(known.end(), further_calls.begin(), further_calls.end());
  if (is_launch(name) || includes(known, name)) return;
  const std::string meant = closest(name, known);
  misfit("is not known{}: if a newer version wrote the file, use that one",
         meant.empty() ? "" : fmt::format(", but {} is", meant));
}

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
    if (number < 0) misfit("is {}, below 0", number);
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
  std::set<std::tuple<bool, std::uint64_t, std::uint64_t>> shapes;
  within_each(kernels, [&](const KernelCost& kernel) {
    check_kernel(kernel);
    if (!shapes.emplace(kernel.reduces, kernel.words, kernel.outputs).second) {
      misfit("has the shape of an entry before: {} words, {} outputs", kernel.words,
             kernel.outputs);
    }
  });
  for (const bool reduces : {false, true}) {
    if (!includes(kernels, reduces, &KernelCost::reduces)) {
      misfit("has no entry that {}", reduces ? "reduces" : "does not reduce");
    }
  }
}

}  // namespace

std::string to_json(const Profile& profile) { return pretty(document_of(schema, profile)); }

Profile read_profile(const std::string& text, const std::string& source, const char* remedy) {
  try {
    Profile profile = record_in<Profile>(parsed(text), schema);
    // Calls must be known and complete, and costs by size must rise. Kernel shapes must be possible
    // and differ, and both kinds of kernel must have one.
    MemberCheck()("", profile);
    within("kernels", [&] { check(profile.kernels); });
    return profile;
  } catch (const Misfit& misfit) {
    throw UsageError("{}: {}; {}", source, in_words(misfit), remedy);
  }
}

Profile load_profile(const std::string& path, const std::string& option) {
  std::string text;
  try {
    text = content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse(option, path, "{}; give a device profile from trilane calibrate", error.what());
  }
  return read_profile(text, option + " " + in_quotes(path));
}

boost::json::object profile_json_schema() { return json_schema_of<Profile>(schema); }

std::uint64_t Profile::Stream::carried_bytes() const {
  const auto& copies = enqueue[index_of(Kind::copy_in)];
  const auto dearest = std::ranges::max_element(copies, {}, &SizeCost::us);
  return copies.empty() || dearest == std::prev(copies.end()) ? 0 : dearest->bytes;
}

std::uint64_t Profile::Stream::kernel_memset_bytes() const {
  const auto us = [this](Kind kind, std::uint64_t bytes) {
    return at_size(enqueue[index_of(kind)], bytes);
  };
  const double between_us = (us(Kind::memset, 1) + us(Kind::kernel, 1)) / 2;
  const auto sizes = std::views::iota(std::uint64_t{1}, std::uint64_t{1} << 40);
  return *std::ranges::partition_point(
      sizes, [&](std::uint64_t bytes) { return us(Kind::memset, bytes) <= between_us; });
}

double at_size(const std::vector<SizeCost>& costs, std::uint64_t bytes) {
  if (costs.empty()) return 0;
  auto upper = std::ranges::lower_bound(costs, bytes, {}, &SizeCost::bytes);
  if (upper == costs.end()) --upper;
  if (upper == costs.begin()) return upper->us;
  const SizeCost &low = upper[-1], &high = *upper;
  if (bytes > high.bytes && high.us < low.us) return high.us;
  const double part =
      static_cast<double>(bytes - low.bytes) / static_cast<double>(high.bytes - low.bytes);
  return std::min(std::lerp(low.us, high.us, part), longest_operation_us);
}

KernelTime Profile::kernel_time(const KernelSize& size) const {
  const auto of_kind = [&](const KernelCost& kernel) { return kernel.reduces == size.reduces; };
  const auto for_words = [&](const KernelCost& row) {
    const auto in_row = [&](const KernelCost& kernel) {
      return of_kind(kernel) && kernel.words == row.words;
    };
    const auto own = [](const KernelCost& kernel) {
      return Figures{kernel.us, kernel.round_us, kernel.share};
    };
    return figures_at(kernels, in_row, &KernelCost::outputs, size.outputs, own);
  };
  const Figures found = figures_at(kernels, of_kind, &KernelCost::words, size.words, for_words);
  const double more_rounds = size.rounds > 1 ? size.rounds - 1 : 0;
  const double us = found.us + found.round_us * more_rounds;
  return {std::min(us, longest_operation_us), std::min(found.share, 1.0)};
}

}  // namespace trilane
