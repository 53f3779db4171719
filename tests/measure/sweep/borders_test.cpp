// The borders in words: their statements on fake maps, and that they are true of every cell.
#include "common/measure/sweep/map/regimes.hpp"
#include "common/model/workload/random.hpp"
#include "tests/base/mentions.hpp"
#include "tests/measure/sweep/made_up_map.hpp"

BOOST_AUTO_TEST_SUITE(borders)

/// One statement, parsed from the words alone.
struct Statement {
  Span columns, rows;
  std::string variant;
  std::set<std::string> tied;
  std::set<std::string> exceptions;         ///< "graph at chunk size 4 KiB, chunks 2"
  double least_size = 0, most_size = 1e18;  ///< of the whole pass
};

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && text.compare(i, separator.size(), separator) == 0) {
      parts.emplace_back();
      i += separator.size() - 1;
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

/// Returns the positions that "chunk size up to 64 KiB", "from 128 KiB on" and the like name.
Span span_in(const Axis& axis, std::string text) {
  const std::size_t end = axis.values.size() - 1;
  const std::string knob = in_words(axis.knob);
  const auto place = [&](const std::string& value) {
    for (std::size_t i = 0; i <= end; ++i) {
      if (value_text(axis.knob, axis.values[i]) == value) return i;
    }
    throw std::invalid_argument("no value: " + value);
  };
  if (text == "any " + knob || text == "any number of " + knob || text == "everywhere") {
    return {0, end};
  }
  if (text.starts_with(knob + " ")) text = text.substr(knob.size() + 1);
  std::smatch found;
  if (std::regex_match(text, found, std::regex("up to (.*)"))) return {0, place(found[1])};
  if (std::regex_match(text, found, std::regex("from (.*) on"))) return {place(found[1]), end};
  if (std::regex_match(text, found, std::regex("(.*) to (.*)"))) {
    return {place(found[1]), place(found[2])};
  }
  return {place(text), place(text)};
}

std::set<std::string> names_in(const std::string& list) {
  std::set<std::string> names;
  for (const std::string& part : split(list, ", ")) {
    for (const std::string& name : split(part, " and ")) names.insert(name);
  }
  return names;
}

/// Parses "VARIANT (1.20 to 2.00 times as fast as streams; graph and pool tie), but ..."
void read_claim(const std::string& text, Statement& statement) {
  static const std::regex form(R"((\w+)(?: \((.*?)\))?(?:, but (.*))?)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) throw std::invalid_argument("no claim: " + text);
  statement.variant = found[1];
  for (const std::string& detail : split(found[2], "; ")) {
    std::smatch part;
    if (std::regex_match(detail, part, std::regex("(.*) tie(s?)"))) {
      statement.tied = names_in(part[1]);
    }
  }
  const std::string exceptions = found[3];
  static const std::regex one(R"(\w+ at chunk size \d+ \w+, chunks \d+)");
  for (std::sregex_iterator it(exceptions.begin(), exceptions.end(), one), end; it != end; ++it) {
    statement.exceptions.insert(it->str());
  }
}

Span all(const Axis& axis) { return {0, axis.values.size() - 1}; }

std::vector<Statement> statements_in(const RegimeMap& map) {
  std::vector<Statement> statements;
  for (const Band& band : map.borders) {
    const Axis& across = map.bands_of == Cut::columns ? map.columns : *map.rows;
    const Axis along = axis_along(map, map.bands_of);
    Span at{0, across.values.size() - 1};
    std::string text = band.words;
    if (const std::size_t colon = text.find(": "); colon != text.npos) {
      at = span_in(across, text.substr(0, colon));
      text = text.substr(colon + 2);
    }
    for (const std::string& part : split(text, "; ")) {
      const std::size_t comma = part.find(", ");
      Statement statement;
      const Span span = span_in(along, part.substr(0, comma));
      statement.columns = map.bands_of == Cut::rows      ? span
                          : map.bands_of == Cut::columns ? at
                                                         : all(map.columns);
      statement.rows = map.bands_of == Cut::rows      ? at
                       : map.bands_of == Cut::columns ? span
                                                      : all(*map.rows);
      if (map.bands_of == Cut::size) {
        statement.least_size = along.values[span.first];
        statement.most_size = along.values[span.last];
      }
      read_claim(part.substr(comma + 2), statement);
      statements.push_back(statement);
    }
  }
  return statements;
}

bool covers(const RegimeMap& map, const Statement& statement, const Cell& cell) {
  const double size = map.columns.values[cell.column] * map.rows->values[cell.row];
  if (size < statement.least_size || size > statement.most_size) return false;
  const auto within = [](const Span& span, std::size_t at) {
    return span.first <= at && at <= span.last;
  };
  return within(statement.columns, cell.column) && within(statement.rows, cell.row);
}

/// Checks that every measured cell is mentioned once, and that the statement is true of it.
void check_truth(const RegimeMap& map) {
  const std::vector<Statement> statements = statements_in(map);
  for (const Cell& cell : map.cells) {
    if (cell.status != Status::ok) continue;
    std::size_t spoken_of = 0;
    for (const Statement& statement : statements) {
      if (!covers(map, statement, cell)) continue;
      ++spoken_of;
      const std::string exception = cell.winner + " at " + place_text(map, cell);
      BOOST_TEST(
          is_among_the_best(cell, statement.variant) != statement.exceptions.contains(exception),
          exception);
      for (const std::string& other : statement.tied) BOOST_TEST(is_among_the_best(cell, other));
    }
    BOOST_TEST(spoken_of == 1u, place_text(map, cell));
  }
}

using Lines = std::vector<std::string>;

void check_words(const Lines& pictured, const Lines& wanted) {
  const RegimeMap map = made_up_map(pictured);
  check_truth(map);
  Lines lines;
  for (const Band& band : map.borders) lines.push_back(band.words);
  BOOST_TEST(lines == wanted, boost::test_tools::per_element());
}

/// Returns a random map: of patches, so that there are borders, of ties, gaps and noise.
std::vector<std::string> drawn(Random& random) {
  const std::size_t columns = 1 + random.below(8), rows = 1 + random.below(8);
  const std::uint64_t tilt = random.below(4), noise = random.below(3), gaps = random.below(3);
  std::vector<std::string> lines;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string line;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t band = (column + tilt * (rows - row)) / 3 % 3;
      std::string cell(1, "sgp"[random.below(10) < noise ? random.below(3) : band]);
      if (random.below(4) == 0) cell += cell == "g" ? "s" : "g";
      if (random.below(10) < gaps) cell = random.below(2) == 0 ? "-" : ".";
      line += (line.empty() ? "" : " ") + cell;
    }
    lines.push_back(line);
  }
  return lines;
}

BOOST_AUTO_TEST_CASE(one_winner_is_said_once) {
  check_words({"g g", "g g"}, {"everywhere, graph (2.00 times as fast as streams)"});
}

BOOST_AUTO_TEST_CASE(a_border_across_one_axis_is_said_without_the_other) {
  check_words({"g g p s", "g g p s", "g g p s"},
              {"chunk size up to 8 KiB, graph (2.00 times as fast as streams); 16 KiB, "
               "pool (2.00 times as fast as streams); from 32 KiB on, streams"});
  check_words({"s s s", "s s s", "g g g", "g g g"},
              {"chunks up to 4, graph (2.00 times as fast as streams); from 8 on, streams"});
}

BOOST_AUTO_TEST_CASE(borders_that_move_are_said_by_bands) {
  check_words({"s s s s", "s s s s", "g g s s", "g g s s"},
              {"chunks up to 4: chunk size up to 8 KiB, graph (2.00 times as fast as "
               "streams); from 16 KiB on, streams",
               "chunks from 8 on: any chunk size, streams"});
}

BOOST_AUTO_TEST_CASE(a_border_that_follows_the_size_of_the_pass_is_said_by_it) {
  check_words({"g s s s s", "g g s s s", "g g g s s", "g g g g s"},
              {"size up to 64 KiB, graph (2.00 times as fast as streams); from 128 KiB on, "
               "streams"});
}

BOOST_AUTO_TEST_CASE(the_plainest_of_those_that_tie_everywhere_is_advised) {
  check_words({"gs gsp", "sg gs"}, {"everywhere, streams (graph ties)"});
  check_words({"gsp gsp", "sgp gsp"}, {"everywhere, streams (graph and pool tie)"});
}

BOOST_AUTO_TEST_CASE(ties_are_used_to_say_less) {
  check_words({"g gs s", "g gs s", "g sg s"},
              {"chunk size up to 4 KiB, graph (2.00 times as fast as streams); from 8 KiB "
               "on, streams"});
}

BOOST_AUTO_TEST_CASE(a_stray_cell_is_an_exception_and_named) {
  check_words({"g g g g", "g p g g", "g g g g"},
              {"everywhere, graph (2.00 times as fast as streams), but pool at chunk size "
               "8 KiB, chunks 4"});
}

BOOST_AUTO_TEST_CASE(nothing_is_claimed_of_what_was_not_measured) {
  check_words({"- - - -", "- g s -", "- g s -"},
              {"chunks up to 4: chunk size 8 KiB, graph (2.00 times as fast as streams); "
               "16 KiB, streams"});
  check_words({"- -", ". ."}, {});
}

BOOST_AUTO_TEST_CASE(every_sentence_is_true_of_every_cell_it_covers) {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    const std::vector<std::string> pictured = drawn(random);
    BOOST_TEST_CONTEXT(fmt::format("{}", fmt::join(pictured, "\n"))) {
      check_truth(made_up_map(pictured));
    }
  }
}

BOOST_AUTO_TEST_CASE(remarks_count_the_cells_and_say_why_some_are_missing) {
  RegimeMap map = made_up_map({"g gs - .", "s s - g"});
  map.cells[0].stopped = "time";
  map.cells[1].left_out.emplace_back("pool", "failed: wrong data");
  const Lines told = remarks(map);
  BOOST_TEST_REQUIRE(told.size() == 6u);
  BOOST_TEST(mentions(told[0], {"8 cells", "4 have a clear winner", "1 the fastest ties"}));
  BOOST_TEST(told[1] == "Intervals cover this process; others may differ by more.");
  BOOST_TEST(mentions(told[2], {"1 of these ran out of time", "More --time or --processes"}));
  BOOST_TEST(mentions(told[3], {"1 cell", "not been run yet"}));
  BOOST_TEST(mentions(told[4], {"2 cells cannot be run", "chunk size 16 KiB, chunks 2", "large"}));
  BOOST_TEST(mentions(
      told[5], {"pool", "left out of 1 cell", "chunk size 8 KiB, chunks 2", "failed: wrong data"}));
}

BOOST_AUTO_TEST_CASE(remarks_say_over_how_many_processes_intervals_are) {
  RegimeMap map = made_up_map({"g gs", "s s"});
  map.processes = 5;
  for (Cell& cell : map.cells) cell.visits = 5;
  BOOST_TEST(remarks(map).at(1) == "Intervals are for another sweep of 5 processes.");
  map.cells[2].visits = 3;
  BOOST_TEST(remarks(map).at(1) == "Intervals are for another sweep of 3 to 5 processes.");
  map.context.simulated = "a profile";
  BOOST_TEST(remarks(map).size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
