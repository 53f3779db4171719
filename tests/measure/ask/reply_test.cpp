// The file of answers: everything written can be read, and nothing else; and replies as a page.
#include "common/measure/ask/reply.hpp"

#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(reply)

Replies sound() {
  Reply answered{.question = "free_waits",
                 .finding = Finding::depends,
                 .sentence = "yes for one, no for another: it takes 2 \u00b5s.",
                 .figures = {{"alone", Quantity::us, {1.25, -0.001, 3}},
                             {"calls", Quantity::count, {7, 0, 9}}},
                 .seconds = 1.5,
                 .hazards = 1,
                 .first_hazard = "two writes",
                 .processes = {{{Finding::depends, true, 2}, {Finding::no, false, 1}}}};
  Reply lacking{.question = "waiting",
                .finding = Finding::not_modelled,
                .sentence = "host threads",
                .figures = {},
                .first_hazard = {}};
  Replies replies{.context = {}, .seed = 7, .answers = {answered, lacking}};
  replies.context.simulated = "some profile";
  return replies;
}

template <typename Change>
std::string refused(Change change) {
  Replies replies = sound();
  change(replies.answers.front());
  const std::string text = to_json(replies);
  return refusal<std::invalid_argument>([&] { replies_from_json(text); });
}

/// Returns the refusal of the valid file with `from` replaced by `to`.
std::string refused(const std::string& from, const std::string& to) {
  std::string text = to_json(sound());
  const std::size_t place = text.find(from);
  BOOST_REQUIRE(place != text.npos);
  return refusal<std::invalid_argument>(
      [&] { replies_from_json(text.replace(place, from.size(), to)); });
}

std::string page_of(const std::string& question) {
  Replies replies;
  replies.answers.emplace_back().question = question;
  return as_text(replies_page(replies));
}

bool has_line(const std::string& page, const std::string& label) {
  return page.find("\n" + label + " ") != page.npos;
}

BOOST_AUTO_TEST_CASE(what_is_written_can_be_read) {
  const std::string text = to_json(sound());
  const Replies read = replies_from_json(text);
  BOOST_TEST(to_json(read) == text);
  BOOST_TEST(read.seed == 7u);
  BOOST_TEST(read.context.simulated == "some profile");
  BOOST_REQUIRE(read.answers.size() == 2u);
  BOOST_TEST((read.answers[0].figures == sound().answers[0].figures));
  BOOST_TEST(read.answers[0].sentence == sound().answers[0].sentence);
  BOOST_TEST(read.answers[0].seconds == 1.5);
  BOOST_TEST((read.answers[0].processes == sound().answers[0].processes));
  BOOST_TEST((read.answers[1].finding == Finding::not_modelled));
  BOOST_TEST(!read.answers[1].processes.has_value());
}

BOOST_AUTO_TEST_CASE(samples_are_rounded_to_the_nanosecond) {
  Reply reply = sound().answers[0];
  reply.figures[0].samples = {2.00049, 2.00051, -1};
  round_to_nanoseconds(reply);
  BOOST_TEST(reply.figures[0].samples == (std::vector{2.0, 2.001, -1.0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(figures_fit_each_other) {
  BOOST_TEST(refused([](Reply&) {}) == "(not refused)");
  BOOST_TEST(refused([](Reply& reply) { reply.question.clear(); }) ==
             "answers file: .answers[0].question is empty");
  BOOST_TEST(refused([](Reply& reply) { reply.figures[1].samples.clear(); }) ==
             "answers file: .answers[0].figures[1].samples has no entry");
  BOOST_TEST(refused([](Reply& reply) { reply.figures[1].samples.pop_back(); }) ==
             "answers file: .answers[0].figures[1].samples has 2 entries, and the first figure "
             "has 3");
  BOOST_TEST(refused([](Reply& reply) { reply.figures[1].name = "alone"; }) ==
             "answers file: .answers[0].figures[1].name is alone, as before");
  BOOST_TEST(refused([](Reply& reply) { reply.figures[1].samples[2] = -1; }) ==
             "answers file: .answers[0].figures[1].samples[2] is -1 and must be from 0 to "
             "86400000000");
  BOOST_TEST(contains(refused([](Reply& reply) {
                        reply.figures[1].quantity = Quantity::error;
                        reply.figures[1].samples[2] = 1e6;
                      }),
                      ".samples[2] is 1000000 and must be from 0 to 99999"));
  BOOST_TEST(refused([](Reply& reply) { reply.processes->pop_back(); }) ==
             "answers file: .answers[0].processes have 2 rounds, and a figure has 3 samples");
  BOOST_TEST(refused([](Reply& reply) { reply.hazards = 0; }) ==
             "answers file: .answers[0].first_hazard is \"two writes\", and there are 0 hazards");
  BOOST_TEST(contains(refused([](Reply& reply) { reply.seconds = -1; }),
                      "answers file: .answers[0].seconds is -1 and must be from 0"));
  BOOST_TEST(
      contains(refused([](Reply& reply) { reply.figures[0].samples[2] = 1e12; }),
               "answers file: .answers[0].figures[0].samples[2] is 1000000000000 and must be"));
}

BOOST_AUTO_TEST_CASE(what_is_no_answers_file_is_refused_with_the_place) {
  BOOST_TEST(contains(refused("trilane-answers", "trilane-loops"),
                      R"(answers file: .schema is "trilane-loops", not "trilane-answers")"));
  BOOST_TEST(refused("\"schema_version\": 2", "\"schema_version\": 1") == "(not refused)");
  BOOST_TEST(contains(refused("\"schema_version\": 2", "\"schema_version\": 3"),
                      ".schema_version is 3, and this program reads 1 to 2"));
  BOOST_TEST(contains(refused("it depends", "perhaps"),
                      R"(.answers[0].finding is not one of "yes", "no", "it depends")"));
  BOOST_TEST(contains(refused("\"quantity\": \"us\"", "\"quantity\": \"s\""),
                      ".answers[0].figures[0].quantity is not one of"));
  BOOST_TEST(contains(refused("\"seconds\"", "\"hours\""), ".answers[0].seconds is missing"));
  BOOST_TEST(contains(refused("1.25", "\"1.25\""), ".samples[0] is not a number"));
  BOOST_TEST(contains(refused("host threads", R"(\u001b[2J)"), "has a control character"));
}

BOOST_AUTO_TEST_CASE(a_figure_that_is_none_is_not_written) {
  Replies replies = sound();
  replies.answers[0].figures[0].samples[1] = std::numeric_limits<double>::infinity();
  BOOST_CHECK_THROW(to_json(replies), std::invalid_argument);
}

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
