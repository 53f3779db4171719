#include "common/model/workload/file/constants.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/json/json_read.hpp"
#include "common/model/workload/file/fields.hpp"

namespace trilane {

Argument constant_in(const boost::json::value& value, Element element) {
  Argument argument;
  argument.element = element;
  if (is_floating(element)) {
    // Above the largest float, because it is often written rounded up: 3.4028235e38.
    const double most = most_floating(element) * (element == Element::float32 ? 1 + 0x1p-26 : 1);
    boost::system::error_code error;
    argument.value = value.to_number<double>(error);
    if (error || std::abs(argument.value) > most) {
      misfit(fmt::format("a value of type {} must be a number from {:g} to {:g}, not {}",
                         name_of(element), -most, most, shown_value(value)));
    }
    return argument;
  }
  std::int64_t whole = 0;
  if (!is_whole_in(value, element, whole)) {
    misfit(fmt::format("a value of type {} must be a whole number from {} to {}, not {}",
                       name_of(element), least_whole(element), most_whole(element),
                       shown_value(value)));
  }
  argument.whole = static_cast<std::uint64_t>(whole);
  return argument;
}

}  // namespace trilane
