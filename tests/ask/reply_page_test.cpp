// Replies as a page.
#include "common/ask/reply_page.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

namespace {

std::string page_of(const std::string& question) {
  Replies replies;
  replies.answers.emplace_back().question = question;
  return as_text(replies_page(replies));
}

bool has_line(const std::string& page, const std::string& label) {
  return page.find("\n" + label + " ") != page.npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pages_of_replies)

BOOST_AUTO_TEST_CASE(a_wrong_claim_stands_before_the_answer_to_it) {
  const std::string page = page_of("last_error_waits");
  BOOST_TEST(page.find("\nClaimed ") < page.find("\nAnswer "), page);
  BOOST_TEST(!has_line(page_of("from_a_newer_program"), "Claimed"));
}

BOOST_AUTO_TEST_SUITE_END()
