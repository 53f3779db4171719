// Asking: how many times an experiment is measured, replies of several processes as one, and the
// conclusion of each question from fake readings.
#include "common/measure/ask/question.hpp"

#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(asking)

/// Counts its samples; can be measured for three rounds.
struct Scarce : Experiment {
  std::vector<Condition> conditions() override {
    return {{"number", [this] { return static_cast<double>(++samples); }, {}, Quantity::count}};
  }
  std::uint32_t most_rounds() const override { return 3; }
  int samples = 0;
};

template <typename E>
Question question_of() {
  Question question;
  question.make = [] { return std::make_unique<E>(); };
  question.conclude = [](const Readings&) { return Conclusion(); };
  return question;
}

/// Asks for two cases whether three quarters of the readings are above 10.
Question made_up_question() {
  Question question;
  question.name = "made_up";
  question.conclude = [](const Readings& r) {
    Conclusion conclusion;
    for (const char* name : {"one", "other"}) {
      conclusion.add(name, decided(r.at(name, 0.25) > 10, r.at(name, 0.75) < 10), name);
    }
    return conclusion;
  };
  return question;
}

/// Returns the reply of a process that reads these values.
Reply process(std::vector<double> one, std::vector<double> other) {
  Reply reply{.question = "made_up",
              .sentence = {},
              .figures = {{"one", Quantity::us, one}, {"other", Quantity::us, other}},
              .seconds = 2,
              .first_hazard = {}};
  conclude(made_up_question(), reply);
  return reply;
}

Reply failed() {
  return {.question = "made_up",
          .finding = Finding::failed,
          .sentence = "no memory",
          .figures = {},
          .first_hazard = {}};
}

Reply merged(const std::vector<Reply>& replies, const Question& question = made_up_question()) {
  std::vector<const Reply*> all;
  for (const Reply& reply : replies) all.push_back(&reply);
  return merged_reply(question, all);
}

const std::vector<double> low{1, 2}, high{20, 30}, long_high{20, 20, 20, 20, 20, 20, 20};

using Value = std::function<double(const std::string& condition)>;

/// Returns the conclusion from two samples of each condition, by its name. The names are those that
/// the conclusion reads.
Conclusion concluded(const Question& question, const Value& value) {
  std::vector<Figure> figures;
  for (;;) {
    try {
      return question.conclude(Readings(figures));
    } catch (const std::out_of_range& missing) {
      const std::string text = missing.what();  // no condition 'NAME'
      const std::string name =
          text.substr(text.find('\'') + 1, text.rfind('\'') - text.find('\'') - 1);
      BOOST_REQUIRE(std::ranges::find(figures, name, &Figure::name) == figures.end());
      figures.push_back({name, Quantity::us, {value(name), value(name)}});
    }
  }
}

/// Conditions with one of `slow` in their names are a thousand times slower than the others.
struct Effect {
  std::string question;
  std::vector<std::string> slow;
  Finding there, absent;
};

void check(const Question& question, const Effect& effect) {
  const Conclusion there = concluded(question, [&](const std::string& condition) {
    const auto in = [&](const std::string& part) { return condition.find(part) != part.npos; };
    return std::ranges::any_of(effect.slow, in) ? 1000.0 : 1.0;
  });
  const Conclusion absent = concluded(question, [](const std::string&) { return 1.0; });
  BOOST_TEST(name_of(there.finding()) == name_of(effect.there), question.name);
  BOOST_TEST(name_of(absent.finding()) == name_of(effect.absent), question.name);
}

BOOST_AUTO_TEST_CASE(an_experiment_is_measured_no_more_often_than_it_can_be) {
  const std::vector<Figure> figures =
      measure(question_of<Scarce>(), {.rounds = {.seconds = 0, .fewest = 12}});
  const std::vector<double> after_the_warm_up{2, 3, 4};
  BOOST_TEST(figures.at(0).samples == after_the_warm_up, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_such_a_limit_the_fewest_rounds_are_measured_whatever_the_time) {
  struct Plenty : Scarce {
    std::uint32_t most_rounds() const override { return UINT32_MAX; }
  };
  const std::vector<Figure> figures =
      measure(question_of<Plenty>(), {.rounds = {.seconds = 0, .fewest = 12}});
  BOOST_TEST(figures.at(0).samples.size() == 12u);
}

BOOST_AUTO_TEST_CASE(all_samples_are_kept_by_process_and_concluded_from_once) {
  const Reply all = merged({process(high, high), process({25}, {35})});
  BOOST_TEST((all.finding == Finding::yes));
  BOOST_TEST(all.seconds == 4);
  BOOST_TEST(all.figures[0].samples == (std::vector<double>{20, 30, 25}),
             boost::test_tools::per_element());
  BOOST_TEST(all.figures[1].samples == (std::vector<double>{20, 30, 35}),
             boost::test_tools::per_element());
  BOOST_TEST((all.processes ==
              std::vector<ProcessReply>{{Finding::yes, true, 2}, {Finding::yes, true, 1}}));
  BOOST_TEST(disagreement(all).empty());
}

BOOST_AUTO_TEST_CASE(processes_that_conclude_otherwise_are_counted_by_what_they_found) {
  const Reply all = merged({process(low, low), process(long_high, long_high), process(low, low),
                            process(long_high, long_high), process({1, 20}, {1, 20})});
  BOOST_TEST((all.finding == Finding::yes));
  BOOST_TEST(disagreement(all) == "In 2 of 5 processes: no; in 1 of 5 processes: undecided.");
}

BOOST_AUTO_TEST_CASE(processes_that_depend_on_other_cases_disagree) {
  const Reply same = merged({process(high, low), process(high, low)});
  BOOST_TEST((same.finding == Finding::depends));
  BOOST_TEST(disagreement(same).empty());
  const Reply other = merged({process(high, low), process(high, low), process({1}, {11})});
  BOOST_TEST(disagreement(other) == "In 1 of 3 processes: yes and no for other cases.");
}

BOOST_AUTO_TEST_CASE(conditions_are_compared_within_their_processes) {
  Question question = made_up_question();
  question.conclude = [](const Readings& r) {
    Conclusion conclusion;
    conclusion.add("is above", decided(r.above("one", "other", 1.5), r.above("other", "one")), "");
    return conclusion;
  };
  const auto compared = [&](std::vector<Reply> replies) {
    for (Reply& reply : replies) conclude(question, reply);
    return merged(replies, question);
  };
  const Reply fast = process({18, 20, 22}, {9, 10, 11}), slow = process({90, 99}, {45, 50}),
              level = process({9, 10, 11}, {9, 10, 11});
  const Reply all = compared({fast, slow, fast, slow});
  BOOST_TEST((all.finding == Finding::yes));
  BOOST_TEST(disagreement(all).empty());
  BOOST_TEST((compared({fast, slow, fast, level}).finding == Finding::yes));
  BOOST_TEST((compared({fast, level, fast, level}).finding == Finding::undecided));
}

BOOST_AUTO_TEST_CASE(quartiles_say_whether_something_costs_more_and_medians_how_much) {
  const auto answer = [](std::vector<double> one, std::vector<double> other) {
    return Readings(process(std::move(one), std::move(other)).figures)
        .costs_more("one", "other", 1.5, 1.1);
  };
  BOOST_TEST((answer({15, 20, 25}, {9, 10, 14}) == true));          // 17.5 and 12
  BOOST_TEST((answer({12, 14, 16}, {9, 10, 11}) == std::nullopt));  // by less than half
  BOOST_TEST((answer({5, 20, 25}, {9, 10, 18}) == std::nullopt));   // 12.5 and 14
  BOOST_TEST((answer({9, 10.5, 12}, {9, 10, 11}) == false));
}

BOOST_AUTO_TEST_CASE(what_fails_in_one_process_has_failed) {
  const Reply all = merged({process(high, high), failed(), process(high, high)});
  BOOST_TEST((all.finding == Finding::failed));
  BOOST_TEST(all.sentence == "no memory");
  BOOST_TEST(disagreement(all) == "In 2 of 3 processes: yes.");
  BOOST_TEST(all.figures.at(0).samples.size() == 4u);
  BOOST_TEST(all.processes->at(1).rounds == 0u);
}

BOOST_AUTO_TEST_CASE(a_process_that_ended_early_has_fewer_answers) {
  std::vector<Replies> all(2);
  for (Replies& replies : all) replies.answers = {failed(), failed()};
  for (Replies& replies : all) replies.answers[0].question = "free_waits";
  all[1].answers[1].question = "waiting";
  all[0].answers.pop_back();
  const Replies one = merged_replies(all);
  BOOST_TEST_REQUIRE(one.answers.size() == 2u);
  BOOST_TEST(one.answers[0].processes->size() == 2u);
  BOOST_TEST(one.answers[1].question == "waiting");
  BOOST_TEST(!one.answers[1].processes.has_value());
  BOOST_CHECK_THROW(merged_replies({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(pages_say_what_processes_found_and_how_many_there_were) {
  Replies replies{.context = {},
                  .answers = {merged({process(low, low), process(long_high, long_high)})}};
  for (const Page& page : {replies_page(replies), overview_page(replies)}) {
    BOOST_TEST(contains(as_text(page), "In 1 of 2 processes: no."), as_text(page));
  }
  BOOST_TEST(contains(as_text(replies_page(replies)), "from all rounds of 2 processes."));
  replies.answers = {process(low, low)};
  BOOST_TEST(contains(as_text(replies_page(replies)), "cover this process; others may differ"));
  replies.context.simulated = "NVIDIA H200";
  BOOST_TEST(!contains(as_text(replies_page(replies)), "this process"));
}

/// The simulated device cannot try these; the others have their effects reversed there.
BOOST_AUTO_TEST_CASE(effects_that_are_not_modelled_decide_the_answer) {
  using enum Finding;
  const Effect effects[]{
      {"waiting", {"kernel and wait, blocking", "CPU time of that, spinning"}, yes, no},
      {"event_costs", {"with timing"}, yes, no},
      {"lazy_loading", {"first launch of a kernel"}, yes, no},
      {"pageable_other_calls", {"while another thread copies"}, yes, no},
      {"write_combined", {"copied in, pinned"}, yes, no},
      {"hardware_queues", {"two kernels"}, yes, no},
      {"memset_beside_kernel", {"on all SMs"}, depends, undecided},
      {"allocation_nodes", {"the same three"}, yes, no},
      {"host_function_late", {"host function after"}, yes, no},
      {"host_function_holds_up", {"beside one"}, yes, no},
      {"host_pool", {"cudaMallocHost and"}, yes, depends},
      {"managed_memory", {"managed", "prefetch"}, yes, no},
      {"launching_threads", {"threads at once"}, yes, no},
      {"wait_late", {"a short pass"}, no, no},  // readings that do not vary
      {"priority_short_kernel", {"same priority"}, yes, undecided},
      {"priority_copies", {"same priority"}, yes, no},
      {"priority_lanes", {"lanes alike"}, yes, no},
      {"priority_graphs", {"no high priority"}, yes, undecided},
      {"green_contexts", {"plain streams"}, depends, yes},
      {"batch_source_order", {"a batch read"}, no, no},  // one byte changed is one too many
      {"graph_destroyed", {"destroyed"}, no, no},
      {"passes_in_graph", {"in 16 graphs"}, yes, no},
      {"child_graphs", {"a graph of child graphs"}, yes, no},
      {"programmatic_edges", {"graph of the chain"}, yes, no},
      {"loop_on_device", {"polled"}, yes, no},
      {"if_node", {"kernels that test"}, yes, no},
      {"kernel_sets_node", {"set by the host"}, yes, no},
      {"device_launches", {"by the host"}, yes, no},
      {"many_streams", {"kernels ran on 48"}, depends, no},
      {"memory_place", {"slowest"}, yes, no},
      {"capture_breaks", {"end of a capture"}, yes, yes},  // any error but 0
      {"capture_other_thread", {"end of a capture"}, yes, yes},
      {"capture_leaves_out", {"missing"}, yes, yes},
      {"capture_failed", {"after a failed capture"}, yes, no},
      {"failed_capture_log", {"naming"}, yes, yes}};
  for (const Question& question : questions()) {
    int tried = 0;
    for (const Effect& effect : effects) {
      if (effect.question != question.name) continue;
      ++tried;
      check(question, effect);
    }
    // The data of pageable_returns are tried on a GPU.
    const bool wanted = !question.not_modelled.empty() && question.name != "pageable_returns";
    BOOST_TEST((tried > 0) == wanted, question.name);
  }
}

BOOST_AUTO_TEST_CASE(readings_can_answer_every_case_with_yes_and_with_no) {
  std::mt19937 random(1);
  const double values[] = {0, 1, 2, 20, 1000, 3000, 64 << 20};
  for (const Question& question : questions()) {
    std::map<std::string, std::set<std::optional<bool>>> answers;
    for (int i = 0; i < 1000; ++i) {
      double value = 0;
      int calls = 0;  // two for each condition, whose samples agree in every other try
      const Conclusion conclusion = concluded(question, [&](const std::string&) {
        if (calls++ % 2 == 0 || i % 2 == 0) value = values[random() % std::size(values)];
        return value;
      });
      for (const auto& [name, answer] : conclusion.cases()) answers[name].insert(answer);
    }
    if (answers.size() > 1) answers.erase("");  // the experiment itself failed
    for (const auto& [name, found] : answers) {
      const bool both = found.contains(true) && found.contains(false);
      BOOST_TEST(both, question.name << ", case '" << name << "'");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
