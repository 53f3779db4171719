#include "common/json/document.hpp"

#include <boost/json/parser.hpp>

namespace trilane {

boost::json::value parsed(const std::string& text) {
  boost::system::error_code error;
  boost::json::parser parser;
  const std::size_t used = parser.write_some(text, error);
  if (!error && text.find_first_not_of(" \t\r\n", used) != text.npos) {
    error = boost::json::error::extra_data;
  }
  if (error) throw Misfit{fmt::format("byte {}", used), "is not JSON: " + error.message()};
  return parser.release();
}

void read_header(ObjectReader& reader, const Schema& schema) {
  std::string name;
  reader("schema", name);
  if (name != schema.name) {
    throw Misfit{".schema", fmt::format("is \"{}\", not \"{}\"", name, schema.name)};
  }
  std::uint32_t version = 0;
  reader("schema_version", version);
  if (version >= schema.oldest && version <= schema.version) return;
  const std::string known = schema.oldest == schema.version
                                ? fmt::format("{}", schema.version)
                                : fmt::format("{} to {}", schema.oldest, schema.version);
  throw Misfit{".schema_version",
               fmt::format("is {}, and this program reads {}: use the version that wrote the file",
                           version, known)};
}

}  // namespace trilane
