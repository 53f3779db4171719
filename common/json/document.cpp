#include "common/json/document.hpp"

#include <boost/json/parser.hpp>

namespace trilane {

namespace {

constexpr std::size_t most_levels = 32;

/// Refuses before anything is parsed: a value takes 24 bytes or more, but as little as 2 in a file.
void require_few_values(std::string_view text) {
  std::size_t values = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;  // the character after it ends no string
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '[' || c == '{')) {
      ++values;
    }
  }
  if (values > most_json_values) misfit(fmt::format("has more than {} values", most_json_values));
}

}  // namespace

boost::json::value parsed(const std::string& text) {
  require_few_values(text);
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = most_levels;
  boost::json::parser parser({}, options);
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
