// Reading single values of a JSON document, with the place of what does not fit.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "common/results/results.hpp"

namespace trilane {

/// What is wrong, and where: the place grows from the inside out while the exception rises.
struct Misfit {
  std::string place, what;
};

/// Throws a Misfit without a place.
[[noreturn]] inline void misfit(std::string what) { throw Misfit{{}, std::move(what)}; }

/// Runs `read`; when it throws a Misfit, its place lies within `place`.
template <typename Read>
void within(const std::string& place, Read read) {
  try {
    read();
  } catch (Misfit& error) {
    error.place = place + error.place;
    throw;
  }
}

/// The value as what the name says. Each throws a Misfit without a place.
const boost::json::object& object_in(const boost::json::value& value);
const boost::json::array& array_in(const boost::json::value& value);

/// Reads the value into `field`. Whole numbers must be written as such and fit; numbers must be
/// finite; enumerators go by name_of(). Each throws a Misfit without a place.
void read(const boost::json::value& value, bool& field);
void read(const boost::json::value& value, std::uint32_t& field);
void read(const boost::json::value& value, std::uint64_t& field);
void read(const boost::json::value& value, double& field);
void read(const boost::json::value& value, std::string& field);
void read(const boost::json::value& value, Status& field);
void read(const boost::json::value& value, Mode& field);
void read(const boost::json::value& value, Order& field);
void read(const boost::json::value& value, HostMemory& field);
void read(const boost::json::value& value, Wait& field);
void read(const boost::json::value& value, Pays& field);
void read(const boost::json::value& value, Limiter& field);
void read(const boost::json::value& value, Issuer& field);
void read(const boost::json::value& value, Chaining& field);
void read(const boost::json::value& value, ScratchSource& field);
void read(const boost::json::value& value, Mover& field);

}  // namespace trilane
