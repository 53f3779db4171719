// A file of one kind: its schema's name and version, then the members of one record.
#pragma once

#include <string>

#include "common/base/json/json_read.hpp"
#include "common/base/json/json_write.hpp"

namespace trilane {

/// The name of a kind of file, and the versions that can be read. The last one is written.
struct Schema {
  const char* name;
  std::uint32_t oldest, version;
};

/// The most values in a file, counting objects, arrays and everything inside: they take 0.5 GB.
inline constexpr std::size_t most_json_values = 10'000'000;

/// Parses a text that is one JSON value. Throws a Misfit that names the first invalid byte or the
/// line of a duplicate key, or reports too many values or levels.
boost::json::value parsed(const std::string& text);

/// Returns the name of a file's schema; empty if the text is not JSON or has no schema.
std::string schema_of(const std::string& text);

/// Reads name and version. Throws a Misfit if they do not fit the schema.
void read_header(ObjectReader& reader, const Schema& schema);

/// Returns the record as a document. Throws std::invalid_argument, with the place, if a number is
/// not finite or a list has duplicate names.
template <Described Record>
boost::json::object document_of(const Schema& schema, const Record& record) {
  boost::json::object document{{"schema", schema.name}, {"schema_version", schema.version}};
  try {
    detail::write_members(document, record);
  } catch (const Misfit& error) {
    throw std::invalid_argument(in_words(error));
  }
  return document;
}

/// Reads the output of document_of(). Throws a Misfit, with the place, on anything else:
/// - another schema or version, a missing or unknown key, a wrong type,
/// - columns of different lengths,
/// - a number or text outside its range, or contradictory members.
template <Described Record>
Record record_in(const boost::json::value& document, const Schema& schema) {
  Record record;
  ObjectReader reader(document);
  read_header(reader, schema);
  reader.members(record);
  reader.finish();
  return record;
}

/// Parses a text and reads the record in it. Throws std::invalid_argument where record_in() throws
/// a Misfit: `kind`, "answers file", then the place.
template <Described Record>
Record record_from(const std::string& text, const Schema& schema, const std::string& kind) {
  try {
    return record_in<Record>(parsed(text), schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(kind + ": " + in_words(misfit));
  }
}

}  // namespace trilane
