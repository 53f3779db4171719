#include "common/workload/file/constants.hpp"

#include <fmt/format.h>

#include "common/json/json_read.hpp"
#include "common/workload/file/fields.hpp"

namespace trilane {

Argument constant_in(const boost::json::value& value, Element element) {
  Argument argument;
  argument.element = element;
  if (is_floating(element)) {
    const double most = most_floating(element);
    argument.value =
        number_between(value, fmt::format("a value of type {}", name_of(element)), -most, most);
    return argument;
  }
  if (!is_whole_in(value, element, argument.whole)) {
    misfit(fmt::format("a value of type {} must be a whole number from {} to {}, not {}",
                       name_of(element), least_whole(element), most_whole(element),
                       shown_value(value)));
  }
  return argument;
}

}  // namespace trilane
