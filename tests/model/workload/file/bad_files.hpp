// Shared by the tests of bad pipeline files: a good file, and tables of mistakes in others.
#pragma once

#include "common/base/text/exit_code.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "tests/base/refusal.hpp"

namespace trilane {

/// A good file, with something of everything.
inline const std::string good_file = R"json({
  "chunks": 32,
  "items": 4096,
  "last": 100,
  "lanes": 4,
  "order": "depth",
  "sizes": {"width": 64, "rows": "ceil(n / width)"},
  "buffers": {
    "image": {"type": "float", "count": "n"},
    "scratch": {"type": "uint8", "count": "n"},
    "result": {"type": "float", "count": "rows", "tolerance": 1e-6}
  },
  "stages": [
    {"copy in": "image"},
    {"memset": "result", "value": 7},
    {"kernel": "blur", "file": "blur.cu", "grid": ["rows", 1], "block": 64,
     "arguments": [
       {"in": "image"},
       {"out": "scratch"},
       {"size": "width", "type": "int32"},
       {"value": 0.5, "type": "float"}
     ]},
    {"kernel": "sum", "file": "blur.cu", "grid": "rows", "block": "width",
     "arguments": [{"in": "scratch"}, {"inout": "result"}, {"chunk": "offset"}]},
    {"copy out": "result"}
  ],
  "fused": {"kernel": "all", "file": "blur.cu", "grid": "rows", "block": 64,
            "arguments": [{"in": "image"}, {"out": "result"}]}
}
)json";

/// Returns the good file with a part replaced, which must occur once.
inline std::string good_file_with(const std::string& part, const std::string& replacement) {
  std::string text = good_file;
  const std::size_t place = text.find(part);
  BOOST_REQUIRE_MESSAGE(place != text.npos && text.find(part, place + 1) == text.npos, part);
  return text.replace(place, part.size(), replacement);
}

inline std::string refusal_of(const std::string& text) {
  return refusal<UsageError>([&] { pipeline_in(text, "dir/blur.json"); });
}

/// Checks rows of three columns, each a line and its indented continuations: `replace` a part of
/// the good file `with` another, in which \n is a new line, and what the refusal `says` after the
/// file. A row without its first column replaces the same part as the row before. Returns the
/// number of rows.
inline int check_refusals(const std::string& table) {
  std::istringstream lines(table);
  std::string part, replacement, says;
  std::string* column = nullptr;
  int rows = 0;
  const auto check = [&] {
    if (says.empty()) return;
    for (std::string* text : {&part, &replacement}) {
      for (std::size_t i; (i = text->find("\\n")) != text->npos;) text->replace(i, 2, "\n");
    }
    BOOST_TEST(refusal_of(good_file_with(part, replacement)) == "dir/blur.json:" + says);
    ++rows;
    says.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const std::string word = line.substr(0, line.find(' '));
    if (word == "replace" || word == "with") check();
    if (word == "replace") column = &part;
    if (word == "with") column = &replacement;
    if (word == "says") column = &says;
    if (!column) continue;
    const std::string text = line.substr(std::min<std::size_t>(line.size(), 8));
    *column = word.empty() ? *column + " " + text : text;
  }
  check();
  return rows;
}

}  // namespace trilane
