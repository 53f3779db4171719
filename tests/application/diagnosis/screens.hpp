// The screen on a recording with made-up replays, and checks of its size and order.
#pragma once

#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/base/text/page.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/refusal.hpp"

namespace trilane {

/// Returns a replay in which the application takes 300 us and a graph this long.
inline ReplayRecord replay_with_graph(double graph_us) {
  Measurement graph = candidate("graph", graph_us);
  graph.plan.model.issuer = Issuer::graph;
  ReplayRecord replay;
  replay.comparison = made_up_replay({candidate("calls", 300), graph}, 300);
  return replay;
}

inline ReplayRecord refused_replay() {
  ReplayRecord replay;
  replay.refusal = "cuLaunchHostFunc: it calls a function of the program on the host";
  return replay;
}

inline std::string screen_of(const Diagnosis& diagnosis, const ReplayRecord* replay = nullptr) {
  return as_text(one_screen(diagnosis, replay, "trilane diagnose FILE --all"));
}

/// Returns the screen with one space for each blank: lines are broken at a terminal's width.
inline std::string flat_screen(const Diagnosis& diagnosis, const ReplayRecord* replay = nullptr) {
  return std::regex_replace(screen_of(diagnosis, replay), std::regex("[ \n]+"), " ");
}

/// Checks that each part comes behind the one before.
inline void check_order(const std::string& text, const std::vector<std::string>& parts) {
  std::size_t at = 0;
  for (const std::string& part : parts) {
    const std::size_t next = text.find(part, at);
    BOOST_TEST(next != std::string::npos, part << " is missing or too early in\n" << text);
    if (next != std::string::npos) at = next + part.size();
  }
}

/// Checks that the screen fits, and the order of its parts.
inline void check_screen(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    BOOST_TEST(width_of(line) <= screen_width, line);
  }
  BOOST_TEST(count <= 23u, text);  // `trilane record` prints up to two more
  check_order(text, {"Diagnosis: ", "\n\nAnswer ", "\nGPU ", "\nHost ", "\nPath ", "\n\n- ", "\n\n",
                     "More ", " trilane diagnose FILE --all\n"});
}

}  // namespace trilane
