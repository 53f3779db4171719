#include "common/measure/gpu/images/kernel_names.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "common/base/text/choice.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {

namespace {

/// The demangler is recursive, so its input must be short.
constexpr std::size_t longest_mangled = 8192;

/// Returns the start of the brackets that end at `last`, one of )]}>; npos if none match.
std::size_t start_of_brackets(std::string_view text, std::size_t last) {
  int depth = 0;
  for (std::size_t i = last + 1; i-- > 0;) {
    const char c = text[i];
    // The > of "->" closes no bracket; it occurs only in decltype.
    if (c == ')' || (c == '>' && (i == 0 || text[i - 1] != '-'))) ++depth;
    if ((c == '(' || c == '<') && --depth == 0) return i;
  }
  return text.npos;
}

/// Returns the position of the parameter list; npos if none exists.
std::size_t parameters_at(std::string_view demangled) {
  if (!demangled.ends_with(')')) return demangled.npos;
  return start_of_brackets(demangled, demangled.size() - 1);
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

std::string without_spaces(std::string_view text) {
  std::string packed(text);
  std::erase_if(packed, [](char c) { return c == ' ' || c == '\t'; });
  return packed;
}

/// Returns the name without the template arguments at its end.
std::string without_arguments(const std::string& name) {
  if (!name.ends_with('>')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    if (depth == 0) return name.substr(0, i);
  }
  return name;
}

/// The spellings of one kernel, without spaces, and its name in messages.
struct Ways {
  explicit Ways(const std::string& mangled_name) : mangled(mangled_name) {
    const std::string whole = demangled(mangled);
    shown = qualified_name(whole);
    const std::string name = without_spaces(shown);
    const std::string parameters = fmt::format("({})", fmt::join(signature_of(whole), ","));
    signature = fmt::format("{}({})", shown, fmt::join(signature_of(whole), ", "));
    all = {without_arguments(name), name, name + without_spaces(parameters)};
  }
  std::string mangled, shown, signature;
  std::vector<std::string> all;
};

std::vector<Ways> ways_of(const KernelNames& names) {
  std::vector<Ways> ways;
  for (const std::string& mangled : names.mangled) ways.emplace_back(mangled);
  return ways;
}

using Matches = std::vector<const Ways*>;

/// Returns the kernels of which `fits` accepts a spelling.
template <typename Fits>
Matches matching(const std::vector<Ways>& kernels, Fits fits) {
  Matches found;
  for (const Ways& kernel : kernels) {
    if (std::ranges::any_of(kernel.all, fits)) found.push_back(&kernel);
  }
  return found;
}

Matches matches_of(std::string_view wanted, const std::vector<Ways>& kernels) {
  std::string packed = without_spaces(wanted);
  const bool complete = packed.starts_with("::");
  if (complete) packed.erase(0, 2);
  if (packed.empty()) return {};
  Matches found = matching(kernels, [&](const std::string& way) { return way == packed; });
  if (!found.empty() || complete) return found;
  const std::string end = "::" + packed;
  return matching(kernels, [&](const std::string& way) { return way.ends_with(end); });
}

/// Returns the shortest names that each match only one of them.
std::vector<std::string> distinct_names(const Matches& kernels) {
  std::vector<std::string> names;
  for (const Ways* kernel : kernels) {
    const auto same = [&](auto member) {
      return std::ranges::count(kernels, kernel->*member,
                                [&](const Ways* other) { return other->*member; }) > 1;
    };
    names.push_back(!same(&Ways::shown)       ? kernel->shown
                    : !same(&Ways::signature) ? kernel->signature
                                              : kernel->mangled);
  }
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  return printable(fmt::format("{}", fmt::join(names, "; ")));
}

[[noreturn]] void refuse_several(std::string_view wanted, const KernelNames& names,
                                 const Matches& matches) {
  throw UsageError(fmt::format("{} has {} kernels that {} can mean; write one of: {}", names.file,
                               matches.size(), in_quotes(wanted),
                               list_of(distinct_names(matches))));
}

[[noreturn]] void refuse_unknown(std::string_view wanted, const KernelNames& names,
                                 const std::vector<Ways>& kernels) {
  std::vector<std::string> there, last_parts;
  for (const Ways& kernel : kernels) there.push_back(kernel.shown);
  const std::string start =
      fmt::format("{} has no kernel {}; ", printable(names.file), in_quotes(wanted));
  if (std::ranges::count(names.templates, wanted) > 0) {
    throw UsageError(fmt::format("{}it is a template there: write its arguments, as in {}<float>",
                                 start, wanted));
  }
  if (there.empty()) there = names.templates;
  for (const std::string& name : names.templates) last_parts.push_back(name);
  for (const Ways& kernel : kernels) last_parts.push_back(kernel.shown);
  const std::string guess = did_you_mean(wanted, last_parts);
  throw UsageError(
      start + guess +
      (there.empty()
           ? "it has none for this GPU: kernels are __global__ functions, compiled for its "
             "architecture"
           : "its kernels: " + list_of(there)));
}

}  // namespace

std::string demangled(const std::string& mangled) {
  // Without _Z the demangler takes "i" for the type int.
  if (!mangled.starts_with("_Z") || mangled.size() > longest_mangled) return mangled;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : mangled;
}

std::string qualified_name(std::string_view demangled) {
  const std::string_view name = demangled.substr(0, parameters_at(demangled));
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ' ') return std::string(name.substr(i + 1));
    if (name[i] != ')' && name[i] != '>') continue;
    i = start_of_brackets(name, i);
    if (i == name.npos) break;
  }
  return std::string(name);
}

std::vector<std::string> signature_of(std::string_view demangled) {
  const std::size_t open = parameters_at(demangled);
  if (open == demangled.npos) return {};
  const std::string_view list = demangled.substr(open + 1, demangled.size() - open - 2);
  std::vector<std::string> types;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    depth += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < list.size())) continue;
    types.push_back(trimmed(list.substr(start, i - start)));
    start = i + 1;
  }
  if (types.size() == 1 && (types[0].empty() || types[0] == "void")) return {};
  return types;
}

std::string chosen_kernel(std::string_view wanted, const KernelNames& names) {
  if (std::ranges::count(names.mangled, wanted) > 0) return std::string(wanted);
  for (const LoweredName& name : names.lowered) {
    const auto found = std::ranges::find(names.mangled, name.demangled, demangled);
    if (name.written == wanted && found != names.mangled.end()) return *found;
  }
  const std::vector<Ways> kernels = ways_of(names);
  const Matches matches = matches_of(wanted, kernels);
  if (matches.empty()) refuse_unknown(wanted, names, kernels);
  if (matches.size() > 1) refuse_several(wanted, names, matches);
  return matches[0]->mangled;
}

}  // namespace trilane
