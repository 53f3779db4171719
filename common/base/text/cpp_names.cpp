#include "common/base/text/cpp_names.hpp"

#include <boost/algorithm/string/trim.hpp>

#include "common/base/text/page.hpp"

namespace trilane {
namespace {

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

std::size_t parameters_at(std::string_view demangled) {
  if (!demangled.ends_with(')')) return demangled.npos;
  return start_of_brackets(demangled, demangled.size() - 1);
}

}  // namespace

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
    types.push_back(boost::trim_copy(std::string(list.substr(start, i - start))));
    start = i + 1;
  }
  if (types.size() == 1 && (types[0].empty() || types[0] == "void")) return {};
  return types;
}

std::string without_arguments(const std::string& name) {
  if (!name.ends_with('>')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    if (depth == 0) return name.substr(0, i);
  }
  return name;
}

std::string short_name(const std::string& demangled, std::size_t width) {
  if (width_of(demangled) <= width) return demangled;
  const std::string name = qualified_name(demangled);
  return width_of(name) <= width ? name : clipped(without_arguments(name), width);
}

}  // namespace trilane
