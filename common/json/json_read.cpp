#include "common/json/json_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "common/results/files/results_io.hpp"

namespace trilane {

namespace json = boost::json;

namespace {

template <typename Whole>
Whole whole(const json::value& value) {
  boost::system::error_code error;
  const auto number = value.to_number<Whole>(error);
  if (value.is_double() || error) {
    misfit(fmt::format("is no whole number from 0 to {}", std::numeric_limits<Whole>::max()));
  }
  return number;
}

template <typename Enum, std::size_t size>
void read_name(const json::value& value, Enum& field, const std::array<Enum, size>& all) {
  std::string name;
  read(value, name);
  const auto found = std::ranges::find(all, name, [](Enum item) { return name_of(item); });
  if (found == all.end()) misfit(fmt::format("is \"{}\", which is not known", name));
  field = *found;
}

/// All enumerators count up from 0, and name_of() is empty behind the last.
template <typename Enum>
void read_any_name(const json::value& value, Enum& field) {
  std::string name;
  read(value, name);
  for (int i = 0; *name_of(static_cast<Enum>(i)) != '\0'; ++i) {
    field = static_cast<Enum>(i);
    if (name == name_of(field)) return;
  }
  misfit(fmt::format("is \"{}\", which is not known", name));
}

}  // namespace

const json::object& object_in(const json::value& value) {
  if (const auto* object = value.if_object()) return *object;
  misfit("is no object");
}

const json::array& array_in(const json::value& value) {
  if (const auto* array = value.if_array()) return *array;
  misfit("is no array");
}

void read(const json::value& value, bool& field) {
  if (!value.is_bool()) misfit("is neither true nor false");
  field = value.get_bool();
}

void read(const json::value& value, std::uint32_t& field) { field = whole<std::uint32_t>(value); }
void read(const json::value& value, std::uint64_t& field) { field = whole<std::uint64_t>(value); }

void read(const json::value& value, double& field) {
  boost::system::error_code error;
  field = value.to_number<double>(error);
  if (error) misfit("is no number");
  if (!std::isfinite(field)) misfit("is too large for a number");
}

void read(const json::value& value, std::string& field) {
  if (!value.is_string()) misfit("is no string");
  field = std::string(value.get_string());
}

void read(const json::value& value, Status& field) {
  using enum Status;
  read_name(value, field, std::array{ok, failed, not_supported, not_run});
}

void read(const json::value& value, Mode& field) {
  read_name(value, field, std::array{Mode::latency, Mode::throughput});
}

void read(const json::value& value, Order& field) {
  read_name(value, field, std::array{Order::depth_first, Order::breadth_first});
}

void read(const json::value& value, HostMemory& field) {
  using enum HostMemory;
  read_name(value, field, std::array{pinned, pageable, write_combined, registered});
}

void read(const json::value& value, Wait& field) {
  read_name(value, field, std::array{Wait::spin, Wait::yield, Wait::block});
}

void read(const json::value& value, Pays& field) {
  using enum Pays;
  read_name(value, field, std::array{at_once, later, at_first, never});
}

void read(const json::value& value, Limiter& field) { read_any_name(value, field); }
void read(const json::value& value, Issuer& field) { read_any_name(value, field); }
void read(const json::value& value, Chaining& field) { read_any_name(value, field); }
void read(const json::value& value, ScratchSource& field) { read_any_name(value, field); }
void read(const json::value& value, Mover& field) { read_any_name(value, field); }

}  // namespace trilane
