// Reads files: one of a kind has its schema's name and version, then the members of a record.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "common/base/json/form.hpp"
#include "common/base/json/misfit.hpp"

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

/// Do the same as the templates below; `form` must be that of a record.
boost::json::object document_of(const Schema& schema, const Form& form, const void* record);
void read_document(const boost::json::value& document, const Schema& schema, const Form& form,
                   void* record);
boost::json::object json_schema_of(const Schema& schema, const Form& form);

/// Returns the record as a document. Throws std::invalid_argument, with the place, if a number is
/// not finite or a list has duplicate names.
template <Described Record>
boost::json::object document_of(const Schema& schema, const Record& record) {
  return document_of(schema, form_of<Record>, &record);
}

/// Reads the output of document_of(). Throws a Misfit, with the place, on anything else:
/// - another schema or version, a missing or unknown key, a wrong type,
/// - columns of different lengths,
/// - a number or text outside its range, or contradictory members.
template <Described Record>
Record record_in(const boost::json::value& document, const Schema& schema) {
  Record record;
  read_document(document, schema, form_of<Record>, &record);
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

/// Returns the JSON Schema, draft 2020-12, of document_of(): types, names, ranges and lengths.
template <Described Record>
boost::json::object json_schema_of(const Schema& schema) {
  return json_schema_of(schema, form_of<Record>);
}

/// More than any file that Trilane writes: 19 variants on 6 workloads take 0.8 MB.
inline constexpr std::size_t most_input_bytes = std::size_t{256} << 20;

/// Returns the content of a regular file of 1 to `most` bytes, whole MiB. Decompresses gzip data,
/// whatever the file's name is; the limit holds for what comes out, too. Throws
/// std::invalid_argument with the reason: "cannot be read (No such file or directory)".
std::string content_of_input(const std::string& path, std::size_t most = most_input_bytes);

/// Returns the first `most` bytes, at most 32 KiB, of a file of any size; empty if it cannot be
/// read.
std::string start_of_input(const std::string& path, std::size_t most);

}  // namespace trilane
