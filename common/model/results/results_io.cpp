#include "common/model/results/results_io.hpp"

#include <stdexcept>

#include "common/base/json/json_schema.hpp"
#include "common/base/json/pretty_json.hpp"
#include "common/model/results/results_upgrade.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

constexpr Schema schema{"trilane-results", 1, results_schema_version};

/// Rounds every number in a list. Lists hold raw times.
void round_to_nanoseconds(json::value& value) {
  if (auto* object = value.if_object()) {
    for (auto& entry : *object) round_to_nanoseconds(entry.value());
  }
  if (auto* array = value.if_array()) {
    for (json::value& entry : *array) {
      if (auto* us = entry.if_double()) *us = to_nanoseconds(*us);
      round_to_nanoseconds(entry);
    }
  }
}

}  // namespace

std::string to_json(const Results& results) {
  json::value document = document_of(schema, results);
  round_to_nanoseconds(document);
  return pretty(document);
}

bool is_results(const std::string& text) { return schema_of(text) == schema.name; }

Results from_json(const std::string& text) {
  try {
    json::value document = parsed(text);
    upgrade(document);
    return record_in<Results>(document, schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument("results file: " + in_words(misfit));
  }
}

boost::json::object results_json_schema() { return json_schema_of<Results>(schema); }

}  // namespace trilane
