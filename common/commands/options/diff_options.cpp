#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "common/commands/options/option_parts.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

void check_diff(const Given& given) {
  constexpr std::array own{"fail-on-slower", "same-within", "process-spread"};
  constexpr std::array outputs{"compare", "json", "force"};
  const bool comparing = given.has("compare");
  for (const auto& [name, _] : given.all()) {
    const bool is_own = std::ranges::find(own, name) != own.end();
    if (is_own && !comparing)
      given.forbid(name, "needs --compare; add --compare OLD NEW or leave it out");
    if (!comparing || is_own || std::ranges::find(outputs, name) != outputs.end()) continue;
    given.forbid("compare", "reads two files and runs nothing; leave out --" + name);
  }
}

DiffRequest read_diff(const Given& given) {
  const std::vector<std::string> files = given.texts("compare");
  if (files.size() != 2) {
    refuse("--compare", files.back(),
           fmt::format("takes two files, OLD and NEW, not {}; give two", files.size()));
  }
  if (std::ranges::find(files, "") != files.end())
    refuse("--compare", "", "names no file; give two, OLD and NEW");
  DiffRequest request{.before = files.front(), .now = files.back()};
  request.same_within = given.share("same-within", 0, 1).value_or(request.same_within);
  request.process_spread = given.share("process-spread", 0, 1).value_or(request.process_spread);
  const bool alone = given.text("fail-on-slower") == "";
  request.fail_beyond = alone ? 0 : given.share("fail-on-slower", 0, 1);
  return request;
}

}  // namespace trilane
