#include "common/measure/gpu/images/kernel_names.hpp"

#include <cxxabi.h>

#include "common/base/text/cpp_names.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

/// The demangler is recursive, so its input must be short.
constexpr std::size_t longest_mangled = 8192;

std::string without_spaces(std::string_view text) {
  std::string packed(text);
  std::erase_if(packed, [](char c) { return c == ' ' || c == '\t'; });
  return packed;
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
  throw UsageError("{} has {} kernels that {} can mean; write one of: {}", names.file,
                   matches.size(), in_quotes(wanted), list_of(distinct_names(matches)));
}

[[noreturn]] void refuse_unknown(std::string_view wanted, const KernelNames& names,
                                 const std::vector<Ways>& kernels) {
  std::vector<std::string> there, last_parts;
  for (const Ways& kernel : kernels) there.push_back(kernel.shown);
  const std::string start =
      fmt::format("{} has no kernel {}; ", printable(names.file), in_quotes(wanted));
  if (std::ranges::count(names.templates, wanted) > 0) {
    throw UsageError("{}it is a template there: write its arguments, as in {}<float>", start,
                     wanted);
  }
  if (there.empty()) there = names.templates;
  for (const std::string& name : names.templates) last_parts.push_back(name);
  for (const Ways& kernel : kernels) last_parts.push_back(kernel.shown);
  const std::string guess = did_you_mean(wanted, last_parts);
  throw UsageError(start + guess +
                   (there.empty() ? "it has none for this GPU: kernels are __global__ functions, "
                                    "compiled for its architecture"
                                  : "its kernels: " + list_of(there)));
}

constexpr std::size_t longest_name = 500;

bool is_one_of(char c, std::string_view set) { return set.find(c) != set.npos; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
bool is_allowed(char c) { return is_word(c) || is_one_of(c, ":<>, *&"); }

/// Returns true if brackets are balanced, only a name stands outside of them, and the name ends in
/// arguments.
bool is_well_formed(std::string_view name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool closes = name[i] == '>';
    depth += name[i] == '<' ? 1 : closes ? -1 : 0;
    if (depth > 0) continue;
    const std::string_view rest = name.substr(i + 1);
    if (depth < 0 || is_one_of(name[i], ", *&")) return false;
    if (closes && !rest.empty() && !rest.starts_with("::")) return false;
  }
  return depth == 0 && name.ends_with('>') && (is_letter(name[0]) || name.starts_with("::"));
}

void require_template_name(std::string_view name) {
  const auto refuse_name = [&](std::string_view why) {
    throw UsageError("kernel {}: {}; write it like scale<float> or ns::scale<float, 4>",
                     in_quotes(name), why);
  };
  if (name.size() > longest_name) refuse_name("the name is too long");
  if (const auto odd = std::ranges::find_if_not(name, is_allowed); odd != name.end()) {
    refuse_name(fmt::format("{} is not allowed in a name with template arguments",
                            in_quotes(std::string_view(&*odd, 1))));
  }
  if (!is_well_formed(name)) refuse_name("this is not a name with template arguments");
}

/// Returns the source with each comment, string and character literal replaced by a space.
std::string code_of(std::string_view source) {
  std::string code;
  for (std::size_t i = 0; i < source.size();) {
    const std::string_view rest = source.substr(i);
    std::size_t length = 1;
    if (rest.starts_with("//")) {
      length = std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      length = end == rest.npos ? rest.size() : end + 2;
    } else if (rest[0] == '"' || (rest[0] == '\'' && (i == 0 || !is_word(source[i - 1])))) {
      while (length < rest.size() && !is_one_of(rest[length], {&rest[0], 1}) &&
             rest[length] != '\n') {
        length += rest[length] == '\\' ? 2 : 1;
      }
      length = std::min(length + 1, rest.size());
    }
    code += length == 1 ? rest[0] : ' ';
    i += length;
  }
  return code;
}

/// Returns the name of the function whose declaration continues with `rest`: the last word before
/// its parameters. Empty if none exists.
std::string declared_name(std::string_view rest) {
  for (std::size_t open = rest.find('('); open != rest.npos; open = rest.find('(', open + 1)) {
    const auto last = rest.substr(0, open).find_last_not_of(" \t\r\n");
    if (last == rest.npos) return "";
    std::size_t first = last + 1;
    while (first > 0 && is_word(rest[first - 1])) --first;
    const std::string_view word = rest.substr(first, last + 1 - first);
    if (word != "__launch_bounds__" && word != "__cluster_dims__" && word != "__maxnreg__" &&
        word != "__block_size__") {
      return std::string(word);
    }
  }
  return "";
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

bool has_template_arguments(std::string_view name) {
  return name.find('<') != name.npos && name.find('(') == name.npos;
}

std::vector<std::string> template_names(const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    if (!has_template_arguments(name) || std::ranges::count(found, name) > 0) continue;
    require_template_name(name);
    found.push_back(name);
  }
  return found;
}

std::vector<std::string> template_kernels(std::string_view source) {
  const std::string code = code_of(source);
  const std::string_view all = code, mark = "__global__";
  std::vector<std::string> found;
  for (auto at = all.find(mark); at != all.npos; at = all.find(mark, at + 1)) {
    const std::string_view before = all.substr(0, at);
    const auto end = before.find_last_of(";{}");
    const std::string_view declaration = end == before.npos ? before : before.substr(end + 1);
    const std::string name = declared_name(all.substr(at + mark.size()));
    const auto start = declaration.find("template");
    // Skip "template <>" and "template __global__", which make instances.
    if (name.empty() || start == declaration.npos) continue;
    const auto next = declaration.find_first_not_of(" \t\r\n", start + 8);
    if (next == declaration.npos || declaration[next] != '<') continue;
    const auto inner = declaration.find_first_not_of(" \t\r\n", next + 1);
    if (inner == declaration.npos || declaration[inner] == '>') continue;
    if (std::ranges::count(found, name) == 0) found.push_back(name);
  }
  return found;
}

}  // namespace trilane
