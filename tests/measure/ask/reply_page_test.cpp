// Replies as a page.
#include "common/measure/ask/reply_page.hpp"

#include <boost/test/unit_test.hpp>
#include <tuple>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(pages_of_replies)

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

BOOST_AUTO_TEST_CASE(a_wrong_claim_stands_before_the_answer_to_it) {
  const std::string page = page_of("last_error_waits");
  BOOST_TEST(page.find("\nClaimed ") < page.find("\nAnswer "), page);
  BOOST_TEST(!has_line(page_of("from_a_newer_program"), "Claimed"));
}

BOOST_AUTO_TEST_CASE(hazards_are_shown_and_so_is_that_a_question_of_order_has_none) {
  Replies replies;
  replies.context.simulated = "NVIDIA H200";
  Reply& reply = replies.answers.emplace_back();
  reply.question = "within_stream";
  BOOST_TEST(as_text(replies_page(replies)).find("finds nothing wrong") != std::string::npos);
  reply.hazards = 3;
  reply.first_hazard = "unordered: made up";
  const std::string page = as_text(replies_page(replies));
  BOOST_TEST(page.find("finds: unordered: made up (the first of 3)") != page.npos, page);
  replies.context.simulated.clear();
  BOOST_TEST(!has_line(as_text(replies_page(replies)), "Rules"));
}

BOOST_AUTO_TEST_CASE(each_quantity_is_shown_in_its_own_words) {
  Replies replies;
  Reply& reply = replies.answers.emplace_back();
  for (const auto& [quantity, value, words] :
       {std::tuple{Quantity::us, 2000.0, "2.00 ms"}, std::tuple{Quantity::count, 65536.0, "65536"},
        std::tuple{Quantity::bytes, 2097152.0, "2 MiB"},
        std::tuple{Quantity::error, 800.0, "cudaErrorNotPermitted"}}) {
    reply.figures = {{"figure", quantity, {value}}};
    const std::string page = as_text(replies_page(replies));
    BOOST_TEST(page.find(words) != page.npos, page);
  }
}

BOOST_AUTO_TEST_SUITE_END()
