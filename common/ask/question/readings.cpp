#include "common/ask/question/readings.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/analysis/statistics/statistics.hpp"

namespace trilane {

const Figure& Readings::figure(const std::string& condition) const {
  const auto found = std::ranges::find(figures_, condition, &Figure::name);
  if (found == figures_.end()) throw std::out_of_range("no condition '" + condition + "'");
  return *found;
}

double Readings::median(const std::string& condition) const { return at(condition, 0.5); }

double Readings::at(const std::string& condition, double q) const {
  return quantile(figure(condition).samples, q);
}

bool Readings::above(const std::string& condition, const std::string& other, double factor) const {
  return at(condition, 0.25) > factor * at(other, 0.75);
}

}  // namespace trilane
