#include "common/base/json/document.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/parser.hpp>
#include <unordered_set>

#include "common/base/json/json_values.hpp"
#include "common/base/system/lock.hpp"
#include "common/base/text/gzip.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_levels = 32;

constexpr char space[] = " \t\r\n";

/// Returns the position of the quote that ends the string, or else the text's size.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return std::min(i, text.size());
}

/// The content of a text outside its strings.
struct Tally {
  std::size_t values = 1, keys = 0;
};

Tally tally_of(std::string_view text) {
  Tally tally;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') i = end_of_string(text, i);
    if (c == ',' || c == '[' || c == '{') ++tally.values;
    if (c == ':') ++tally.keys;
  }
  return tally;
}

/// Returns the keys that the parser has kept; of duplicates it silently keeps the last.
std::size_t keys_in(const boost::json::value& value) {
  std::size_t keys = 0;
  if (const auto* const array = value.if_array()) {
    for (const boost::json::value& item : *array) keys += keys_in(item);
  } else if (const auto* const object = value.if_object()) {
    for (const auto& [key, item] : *object) keys += 1 + keys_in(item);
  }
  return keys;
}

/// Returns the parsed string, because the same key can be written with different escapes.
std::string unescaped(std::string_view quoted) {
  if (quoted.find('\\') == quoted.npos) return std::string(quoted.substr(1, quoted.size() - 2));
  return std::string(boost::json::parse(quoted).as_string());
}

void require_different_keys(std::string_view text) {
  std::vector<std::unordered_set<std::string>> keys;  // so far, of each open object
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] == '{') keys.emplace_back();
    if (text[i] == '}') keys.pop_back();
    if (text[i] != '"') continue;
    const std::size_t begin = std::exchange(i, end_of_string(text, i));
    const std::size_t next = text.find_first_not_of(space, i + 1);
    if (next == text.npos || text[next] != ':') continue;
    const auto [found, is_new] = keys.back().insert(unescaped(text.substr(begin, i + 1 - begin)));
    if (!is_new) {
      throw Misfit{fmt::format("line {}", line),
                   fmt::format("repeats the key '{}' of its object", printable(*found, 80))};
    }
  }
}

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument(fmt::format("cannot be read ({})", why));
}

/// Returns the reason why a file of this kind cannot be read; empty for a regular file.
std::string obstacle(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return std::strerror(EISDIR);
  if (S_ISFIFO(mode)) return "it is a pipe: save its output in a file";
  return "it is a device or socket, not a regular file";
}

std::string unpacked(const std::string& bytes, std::size_t most) try {
  return gunzipped(bytes, most);
} catch (const std::invalid_argument& error) {
  refuse(error.what());
}

void read_header(ObjectReader& reader, const Schema& schema) {
  const auto read_key = [&reader](const char* key, auto& value) {
    const boost::json::value& found = reader.at(key);
    within(std::string_view(key), [&] { read(found, value); });
  };
  std::string name;
  read_key("schema", name);
  if (name != schema.name) {
    throw Misfit{".schema", fmt::format("is \"{}\", not \"{}\"", name, schema.name)};
  }
  std::uint32_t version = 0;
  read_key("schema_version", version);
  if (version >= schema.oldest && version <= schema.version) return;
  const std::string known = schema.oldest == schema.version
                                ? fmt::format("{}", schema.version)
                                : fmt::format("{} to {}", schema.oldest, schema.version);
  throw Misfit{".schema_version",
               fmt::format("is {}, and this program reads {}: use the version that wrote the file",
                           version, known)};
}

}  // namespace

boost::json::value parsed(const std::string& text) {
  // Refused before it is parsed: a value takes at least 24 bytes, but as little as 2 in a file.
  const Tally tally = tally_of(text);
  if (tally.values > most_json_values) {
    misfit("has more than {} values", most_json_values);
  }
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = most_levels;
  boost::json::parser parser({}, options);
  const std::size_t used = parser.write_some(text, error);
  if (!error && text.find_first_not_of(space, used) != text.npos) {
    error = boost::json::error::extra_data;
  }
  if (error) throw Misfit{fmt::format("byte {}", used), "is not JSON: " + error.message()};
  boost::json::value value = parser.release();
  if (keys_in(value) != tally.keys) require_different_keys(text);
  return value;
}

std::string schema_of(const std::string& text) try {
  const boost::json::value document = parsed(text);
  return text_in(ObjectReader(document).at("schema"));
} catch (const Misfit&) {
  return "";
}

boost::json::object document_of(const Schema& schema, const Form& form, const void* record) {
  boost::json::object document{{"schema", schema.name}, {"schema_version", schema.version}};
  try {
    forms::write_members(std::get<forms::Record>(form.kind), document, record);
  } catch (const Misfit& error) {
    throw std::invalid_argument(in_words(error));
  }
  return document;
}

void read_document(const boost::json::value& document, const Schema& schema, const Form& form,
                   void* record) {
  ObjectReader reader(document);
  read_header(reader, schema);
  forms::read_members(std::get<forms::Record>(form.kind), reader, record);
  reader.finish();
}

boost::json::object json_schema_of(const Schema& schema, const Form& form) {
  boost::json::object found{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  boost::json::object file = forms::schema_of_members(
      std::get<forms::Record>(form.kind),
      {{"schema", {{"const", schema.name}}},
       {"schema_version", form_of<std::uint32_t>.schema({static_cast<double>(schema.oldest),
                                                         static_cast<double>(schema.version)})}});
  for (auto& [key, value] : file) found[key] = std::move(value);
  return found;
}

std::string content_of_input(const std::string& path, std::size_t most) {
  const OpenFile file = OpenFile::to_read(path);
  struct stat found {};
  if (!file || fstat(file.get(), &found) != 0) refuse(std::strerror(errno));
  if (const std::string why = obstacle(found.st_mode); !why.empty()) refuse(why);
  const std::string too_large = fmt::format("it is larger than {} MiB", most >> 20);
  if (std::cmp_greater(found.st_size, most)) refuse(too_large);
  // Files of /proc report no size, and others can grow: a last read finds the end.
  constexpr std::size_t more = std::size_t{16} << 10;
  const auto size = static_cast<std::size_t>(found.st_size);
  std::string content;
  content.reserve(size + 2 * more);
  for (std::size_t step = size + more; content.size() <= most; step = more) {
    const std::size_t used = content.size();
    content.resize(used + step);
    const ssize_t length = ::read(file.get(), content.data() + used, step);
    content.resize(used + static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    if (length < 0 && errno != EINTR) refuse(std::strerror(errno));
    if (length == 0) break;
  }
  if (content.size() <= most && is_gzip(content)) content = unpacked(content, most);
  if (content.empty()) refuse("it is empty");
  if (content.size() > most) refuse(too_large);
  return content;
}

std::string start_of_input(const std::string& path, std::size_t most) try {
  const OpenFile file = OpenFile::to_read(path);
  struct stat found {};
  if (!file || fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return "";
  std::string content(std::size_t{64} << 10, '\0');
  const ssize_t length = ::read(file.get(), content.data(), content.size());
  content.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  if (is_gzip(content)) content = gunzipped(content, most);
  return content.substr(0, most);
} catch (const std::invalid_argument&) {
  return "";
}

}  // namespace trilane
