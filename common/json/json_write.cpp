#include "common/json/json_write.hpp"

#include <boost/nowide/utf/convert.hpp>
#include <cmath>

namespace trilane {

boost::json::string utf8(const std::string& text) {
  return boost::json::string(
      boost::nowide::utf::convert_string<char>(text.data(), text.data() + text.size()));
}

double finite(double number) {
  if (!std::isfinite(number)) misfit(fmt::format("is {}, which JSON cannot hold", number));
  return number;
}

void add(boost::json::object& object, const std::string& name, boost::json::value value) {
  if (!object.emplace(utf8(name), std::move(value)).second) {
    misfit(fmt::format("has the name {} twice", name));
  }
}

}  // namespace trilane
