#include <fmt/format.h>

#include <boost/json/parser.hpp>
#include <stdexcept>

#include "common/results/files/record_read.hpp"
#include "common/results/files/results_io.hpp"
#include "common/results/files/results_upgrade.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

Results results_in(const json::value& document) {
  Results results;
  ObjectReader reader(document);
  std::string schema;
  reader("schema", schema);
  if (schema != results_schema) {
    throw Misfit{".schema", fmt::format("is \"{}\", not \"{}\"", schema, results_schema)};
  }
  std::uint32_t version = 0;
  reader("schema_version", version);
  if (version < 1 || version > results_schema_version) {
    throw Misfit{
        ".schema_version",
        fmt::format("is {}, this program reads 1 to {}: use the version that wrote the file",
                    version, results_schema_version)};
  }
  fields(reader, results);
  reader.finish();
  return results;
}

}  // namespace

Results from_json(const std::string& text) {
  boost::system::error_code error;
  json::parser parser;
  const std::size_t used = parser.write_some(text, error);
  if (!error && text.find_first_not_of(" \t\r\n", used) != text.npos) {
    error = json::error::extra_data;
  }
  if (error) {
    throw std::invalid_argument(
        fmt::format("results file, byte {}: no JSON: {}", used, error.message()));
  }
  try {
    json::value document = parser.release();
    upgrade(document);
    return results_in(document);
  } catch (const Misfit& misfit) {
    const std::string place = misfit.place.empty() ? "the top level" : misfit.place;
    throw std::invalid_argument(fmt::format("results file: {} {}", place, misfit.what));
  }
}

}  // namespace trilane
