#include "common/base/json/json_write.hpp"

#include <cmath>

namespace trilane {

boost::json::string readable(std::string_view text, const Range& range) {
  return boost::json::string(printable(text, static_cast<std::size_t>(range.most)));
}

double finite(double number) {
  if (!std::isfinite(number)) misfit(fmt::format("is {}, which JSON cannot hold", number));
  return number;
}

void add(boost::json::object& object, const std::string& name, boost::json::value value) {
  if (!object.emplace(readable(name, name_range), std::move(value)).second) {
    misfit(fmt::format("has the name {} twice", in_quotes(name)));
  }
}

}  // namespace trilane
