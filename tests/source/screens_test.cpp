// The committed results fit on a screen, old versions of the file included.
#include "common/base/json/document.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/report/report.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/explain/report/check_page.hpp"

BOOST_AUTO_TEST_SUITE(committed_results)

void check_screen(const Results& results) {
  const Page page = screen_page(results, "");
  const std::size_t most = results.comparisons.size() == 1 ? screen_lines_of_one : screen_lines;
  BOOST_TEST(lines_in(as_text(page)).size() <= most, as_text(page));
  check_page(page);
}

BOOST_AUTO_TEST_CASE(each_has_its_screen_and_so_has_each_of_its_workloads) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SOURCE_DIR "/plots/results")) {
    if (entry.path().extension() != ".gz") continue;
    const std::string text = content_of_input(entry.path());
    if (text.find("\"trilane-results\"") == text.npos) continue;  // a map
    ++files;
    BOOST_TEST_INFO_SCOPE(entry.path().filename());
    Results results = from_json(text);
    derive(results);
    check_screen(results);
    BOOST_TEST(as_text(screen_page(results, "")).find("...") == std::string::npos,
               as_text(screen_page(results, "")));
    for (const Comparison& comparison : results.comparisons) {
      BOOST_TEST(!comparison.winners.empty());
      check_screen({results.context, {}, {}, {comparison}});
    }
  }
  BOOST_TEST(files > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
