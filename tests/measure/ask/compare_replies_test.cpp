// Two runs' answers: which contradict each other, and which figures moved.
#include "common/measure/ask/compare_replies.hpp"

#include "common/measure/ask/question.hpp"
#include "tests/base/mentions.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(answers_of_two_runs)

using Processes = std::vector<std::vector<double>>;

Reply reply_to(const char* question, Finding finding) {
  Reply reply;
  reply.question = question;
  reply.finding = finding;
  reply.sentence = "the reason.";
  return reply;
}

Replies with_figure(Quantity quantity, const Processes& processes) {
  Reply reply = reply_to("made_up", Finding::yes);
  Figure figure{"a figure", quantity, {}};
  std::vector<ProcessReply> each;
  for (const std::vector<double>& samples : processes) {
    figure.samples.insert(figure.samples.end(), samples.begin(), samples.end());
    each.push_back({.rounds = samples.size()});
  }
  reply.figures = {figure};
  if (processes.size() > 1) reply.processes = each;
  return {.context = {}, .answers = {reply}};
}

std::string text_of(const Replies& before, const Replies& now, FigureTolerance tolerance = {}) {
  return as_text(compare_replies(before, now, tolerance).page);
}

BOOST_AUTO_TEST_CASE(only_answers_contradict_and_a_new_failure_counts) {
  using enum Finding;
  struct Case {
    Finding before, now;
    const char* said;
    bool changed = false;
  };
  for (const auto& [before, now, said, changed] :
       {Case{yes, yes, "differ: 0 of 1."}, Case{undecided, not_modelled, "differ: 0 of 1."},
        Case{yes, no, "differ: 1 of 1.", true}, Case{no, depends, "differ: 1 of 1.", true},
        Case{undecided, yes, "differ: 0 of 1; decided on one side only: 1."},
        Case{no, not_modelled, "decided on one side only: 1."},
        Case{undecided, failed, "differ: 0 of 1; failed: 1.", true},
        Case{failed, failed, "failed: 1."}, Case{failed, yes, "failed: 1."}}) {
    const RepliesChange change =
        compare_replies({.context = {}, .answers = {reply_to("made_up", before)}},
                        {.context = {}, .answers = {reply_to("made_up", now)}}, {});
    const std::string text = as_text(change.page);
    BOOST_TEST(contains(text, said), text);
    BOOST_TEST(change.changed.size() == changed, text);
  }
}

BOOST_AUTO_TEST_CASE(a_changed_answer_is_shown_with_both_sentences_and_an_open_one_without) {
  const Replies before{
      .context = {},
      .answers = {reply_to("free_waits", Finding::yes), reply_to("waiting", Finding::undecided),
                  reply_to("gone", Finding::no)}};
  const Replies now{
      .context = {},
      .answers = {reply_to("from_a_newer_program", Finding::no), reply_to("waiting", Finding::yes),
                  reply_to("free_waits", Finding::no)}};
  const std::string line = on_one_line(text_of(before, now));
  BOOST_TEST(mentions(
      line, {"Answers that differ: 1 of 2", "Different", "free_waits",
             "Does cudaFree wait for running kernels? Yes, now no.", "old", "Yes: the reason.",
             "new", "No: the reason.", "waiting", "Undecided, now yes.", "- Only in old: gone.",
             "- Only in new: from_a_newer_program."}));
  BOOST_TEST(!contains(line, "Undecided: the reason"));
  BOOST_TEST(compare_replies(before, {}, {}).page.empty());
}

BOOST_AUTO_TEST_CASE(answers_that_depend_on_other_cases_differ) {
  Question question;
  question.name = "made_up";
  question.conclude = [](const Readings& readings) {
    const bool high = readings.median("a figure") > 10;
    return Conclusion().add("one", high, "").add("other", !high, "");
  };
  questions().push_back(question);
  Replies before = with_figure(Quantity::us, {{1}}), now = with_figure(Quantity::us, {{20}});
  for (Replies* replies : {&before, &now}) replies->answers[0].finding = Finding::depends;
  BOOST_TEST(contains(text_of(before, now), "differ: 1 of 1."));
  BOOST_TEST(contains(text_of(before, before), "differ: 0 of 1."));
  now.answers[0].figures[0].name = "of another version";
  BOOST_TEST(contains(text_of(before, now), "differ: 0 of 1."));
  questions().pop_back();
}

BOOST_AUTO_TEST_CASE(a_time_has_moved_if_the_processes_are_apart_and_the_medians_differ_enough) {
  const Processes five(5, {10, 10.1, 10.2});
  struct Case {
    Processes before, now;
    std::size_t moved;
    FigureTolerance tolerance = {};
  };
  const Processes slow(5, {15, 15.1, 15.2});
  Processes one_overlaps = slow;
  one_overlaps[3] = {10, 10, 10};
  for (const auto& [before, now, moved, tolerance] :
       {Case{five, slow, 1}, Case{slow, five, 1}, Case{five, five, 0}, Case{five, one_overlaps, 0},
        Case{five, slow, 0, {.same_within = 0.5}},
        Case{Processes(5, {10}), Processes(5, {10.1}), 0},       // within 2%
        Case{{{10, 10, 10}}, slow, 0},                           // one process
        Case{{{10, 10, 10}}, slow, 1, {.process_spread = 0.4}},  // 1.02 * 1.4 < 1.5
        Case{{{10, 10, 10}}, {{21, 21, 21}}, 1},                 // 1.02 * 2 < 2.1
        Case{Processes(5, {-10}), Processes(5, {10}), 1}}) {
    const std::string text =
        text_of(with_figure(Quantity::us, before), with_figure(Quantity::us, now), tolerance);
    BOOST_TEST(contains(text, fmt::format("Figures that moved: {} of 1.", moved)), text);
    BOOST_TEST(contains(text, "--processes 5") ==
               (before.size() == 1 && tolerance.process_spread > 0));
  }
}

BOOST_AUTO_TEST_CASE(a_moved_figure_is_shown_in_its_unit_with_its_ratio) {
  for (const auto& [quantity, was, is, row] :
       {std::tuple{Quantity::us, 2.0, 5.0, "  a figure 2.00 us 5.00 us 2.5"},
        std::tuple{Quantity::count, 1021.0, 1022.0, "  a figure 1021 1022 1.00"},
        std::tuple{Quantity::bytes, 0.0, 1048576.0, "  a figure 0 B 1 MiB -"},
        std::tuple{Quantity::error, 800.0, 900.0,
                   "  a figure cudaErrorNotPermitted cudaErrorStreamCaptureUnsupported -"}}) {
    const std::string text = text_of(with_figure(quantity, {{was}}), with_figure(quantity, {{is}}));
    const std::string squeezed = std::regex_replace(text, std::regex("(\\S) +"), "$1 ");
    BOOST_TEST(contains(squeezed, std::string("\nmade_up\n") + row), squeezed);
  }
}

BOOST_AUTO_TEST_CASE(simulated_figures_are_compared_with_their_like_alone) {
  Replies before = with_figure(Quantity::us, {{10}}), now = with_figure(Quantity::us, {{11}});
  before.context.simulated = "one";
  BOOST_TEST(contains(text_of(before, now), "moved: 0 of 0."));
  now.context.simulated = "another";
  BOOST_TEST(contains(text_of(before, now), "moved: 1 of 1."));
}

BOOST_AUTO_TEST_SUITE_END()
