#include "common/measure/gpu/images/demangle.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

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

}  // namespace trilane
