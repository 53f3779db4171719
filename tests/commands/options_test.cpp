// The meaning of the words of a command line.
#include "common/commands/options/help.hpp"

#include "tests/base/mentions.hpp"
#include "tests/base/refusal.hpp"
#include "tests/commands/words.hpp"

BOOST_AUTO_TEST_SUITE(options)

const std::vector<std::string> all_variants{"serial", "streams", "graph", "pool"};

RunOptions parsed(const std::string& line, const std::vector<std::string>& variants = all_variants,
                  bool simulated = false) {
  return read_options(line, made_up_caller(variants, simulated));
}

std::uint32_t repeats(const std::string& line) {
  const Caller caller = made_up_caller(all_variants);
  std::uint32_t repeat = 0;
  read_aa(read_line(line, caller).given, caller, repeat);
  return repeat;
}

Workload workload(const std::string& line) {
  const RunOptions options = parsed(line);
  BOOST_REQUIRE_EQUAL(options.workloads.size(), 1u);
  return options.workloads.front();
}

Workload preset(const std::string& name) {
  return *std::ranges::find(presets(), name, &Workload::name);
}

std::string refused(const std::string& line, bool simulated = false) {
  return refusal<UsageError>([&] { parsed(line, all_variants, simulated); });
}

void check_shape(const Workload& made, std::uint64_t chunks, std::uint64_t chunk_bytes,
                 std::uint64_t bytes, std::uint64_t result_bytes) {
  BOOST_TEST(made.chunks() == chunks);
  BOOST_TEST(made.chunk_bytes == chunk_bytes);
  BOOST_TEST(made.bytes == bytes);
  BOOST_TEST(made.result_bytes == result_bytes);
}

BOOST_AUTO_TEST_CASE(nothing_given_measures_everything) {
  const RunOptions options = parsed("");
  BOOST_TEST(options.workloads.size() == presets().size());
  for (std::size_t i = 0; i < presets().size(); ++i) {
    BOOST_TEST(options.workloads[i].name == presets()[i].name);
    BOOST_TEST(options.workloads[i].bytes == presets()[i].bytes);
    BOOST_TEST(!options.workloads[i].modified);
  }
  BOOST_TEST(options.comparison.variants == all_variants);
  BOOST_TEST(options.comparison.reference == "streams");
  BOOST_TEST((options.comparison.mode == Mode::latency));
  BOOST_TEST(options.comparison.kernel_time_us == 0);
  BOOST_TEST(options.comparison.seconds == 2);
  BOOST_TEST(options.processes.seconds == 2.0 / 6);
  BOOST_TEST(parsed("--processes 1").comparison.seconds == 7);
  BOOST_TEST(parsed("--processes 2 --time 3s").comparison.seconds == 3);
  BOOST_TEST(options.comparison.precision == 0.01);
  BOOST_TEST(options.comparison.seed == 1u);
  BOOST_TEST(options.device.number == 0);
  BOOST_TEST(options.outputs.json.empty());
  BOOST_TEST(options.outputs.csv.empty());
  BOOST_TEST(!options.outputs.force);
  BOOST_TEST(!options.comparison.prove_break_even);
}

BOOST_AUTO_TEST_CASE(break_even_is_proven_on_demand_against_a_reference) {
  BOOST_TEST(parsed("--prove-break-even").comparison.prove_break_even);
  BOOST_TEST(refused("--variant graph,pool --prove-break-even").find("--reference") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_option_arrives) {
  const RunOptions options = parsed(
      "--preset balanced --variant graph,serial --reference serial --mode throughput --lanes 3 "
      "--depth 5 --rounds 7 --order breadth --time 2s --precision 5% --seed 42 --device 2 "
      "--json a.json --csv - --force");
  BOOST_TEST(options.comparison.reference == "serial");
  BOOST_TEST((options.comparison.mode == Mode::throughput));
  BOOST_TEST(options.workloads.front().lanes == 3u);
  BOOST_TEST(options.workloads.front().depth == 5u);
  BOOST_TEST(options.workloads.front().rounds == 7u);
  BOOST_TEST((options.workloads.front().order == Order::breadth_first));
  BOOST_TEST(options.comparison.seconds == 2);
  BOOST_TEST(options.comparison.precision == 0.05);
  BOOST_TEST(options.comparison.seed == 42u);
  BOOST_TEST(options.device.number == 2);
  BOOST_TEST(options.outputs.json == "a.json");
  BOOST_TEST(options.outputs.csv == "-");
  BOOST_TEST(options.outputs.force);
  BOOST_TEST(parsed("--kernel-time 250us").comparison.kernel_time_us == 250);
  BOOST_TEST(parsed("--mode=latency --seed=3").comparison.seed == 3u);
}

BOOST_AUTO_TEST_CASE(standard_output_is_no_file_of_that_name) {
  BOOST_CHECK_NO_THROW(parsed("--json - --csv ./-"));
  BOOST_TEST(contains(refused("--json - --csv -"), "is also the file of --json"));
}

BOOST_AUTO_TEST_CASE(the_first_word_is_the_command_and_run_needs_none) {
  const Caller caller = made_up_caller(all_variants, true);
  for (const Command& command : commands(true)) {
    std::string line = command.name;
    for (std::size_t i = 0; i < command.operands.least; ++i) line += " word" + std::to_string(i);
    const CommandLine found = read_line(line, caller);
    BOOST_TEST(found.command->name == command.name);
    BOOST_TEST(found.given.operands().size() == command.operands.least);
  }
  for (const char* line : {"", "--preset launch", "--json run"})
    BOOST_TEST(read_line(line, caller).command->name == "run");
  check_words(read_line("compare --json j old --force new", caller).given.operands(),
              {"old", "new"});
}

BOOST_AUTO_TEST_CASE(only_a_simulated_program_has_the_commands_that_predict) {
  BOOST_TEST(refused("validate a.json b.json") ==
             "'validate' is not a command; only trilane-sim has it; write trilane-sim validate");
  const Caller gpu = made_up_caller(all_variants), simulated = made_up_caller(all_variants, true);
  BOOST_TEST(read_line("validate a.json b.json", simulated).command->name == "validate");
  for (const auto text : {man_page, bash_completion, zsh_completion, fish_completion}) {
    BOOST_TEST(!contains(text(gpu), "validate"));
    BOOST_TEST(contains(text(simulated), "validate"));
  }
  BOOST_TEST(!contains(help_text({}, gpu), "validate"));
}

BOOST_AUTO_TEST_CASE(questions_and_loops_take_five_processes_unless_the_device_is_simulated) {
  for (const bool simulated : {false, true}) {
    const Caller caller = made_up_caller(all_variants, simulated);
    const auto processes = [&](const char* line) {
      return read_processes(read_line(line, caller).given, caller);
    };
    BOOST_TEST(processes("ask --all") == (simulated ? 1u : 5u));
    BOOST_TEST(processes("loop pair") == (simulated ? 1u : 5u));
    BOOST_TEST(processes("ask free_waits --processes 3") == 3u);
    BOOST_TEST(processes("loop --processes=1") == 1u);
    for (const char* line : {"ask --all --processes 0", "loop --processes 1001"}) {
      BOOST_TEST(
          contains(refusal<UsageError>([&] { processes(line); }), "a whole number from 1 to 1000"));
    }
  }
}

BOOST_AUTO_TEST_CASE(only_what_measures_can_be_checked_on_a_simulated_device) {
  BOOST_TEST((parsed("run --check", all_variants, true).comparison.effort == Effort::measure));
  BOOST_TEST(contains(refused("calibrate a.json --check", true), "has no option '--check'"));
  BOOST_TEST(contains(refused("ask --all --check", true), "has no option '--check'"));
  BOOST_TEST(contains(refused("loop --check", true), "has no option '--check'"));
  BOOST_TEST(contains(refused("list --profile a.json", true), "has no option '--profile'"));
}

BOOST_AUTO_TEST_CASE(several_policies_belong_to_no_workload) {
  BOOST_TEST((workload("--preset launch --pool default/threshold=0").pool == PoolPolicy{}));
  BOOST_TEST(!(workload("--preset launch --pool default").pool == PoolPolicy{}));
}

BOOST_AUTO_TEST_CASE(short_comparisons_and_sweeps_have_times_and_results_of_their_own) {
  const ComparisonSettings repeated = parsed("aa graph --repeat 2").comparison;
  BOOST_TEST(repeated.only_intervals);
  BOOST_TEST(repeated.seconds < parsed("aa graph").comparison.seconds);
  BOOST_TEST(!parsed("aa graph").comparison.only_intervals);
  BOOST_TEST(parsed("sweep chunks=1..4").comparison.seconds == 60);
  BOOST_TEST(parsed("sweep chunks=1..4 lanes=1,2").comparison.seconds == 300);
  BOOST_TEST(parsed("sweep chunks=1..4").processes.count == 5u);
  BOOST_TEST(parsed("sweep chunks=1..4 --processes 3").processes.count == 3u);
  check_words(parsed("sweep chunks=1..4 --kernel-time 9us --processes 3 --time 2s --seed 4")
                  .processes.arguments,
              {"sweep", "chunks=1..4", "--kernel-time=9us"});
  BOOST_TEST(parsed("sweep chunks=1..4", all_variants, true).processes.count == 1u);
  BOOST_CHECK_NO_THROW(parsed("sweep chunks=1..4 --processes 1", all_variants, true));
  BOOST_TEST(contains(refused("sweep chunks=1..4 --processes 2", true),
                      "--processes '2': needs a GPU, because simulated processes do not differ"));
}

BOOST_AUTO_TEST_CASE(what_is_near_or_belongs_elsewhere_is_suggested) {
  BOOST_TEST(refused("luanch") == "'luanch' is not a command; trilane --help lists the commands");
  BOOST_TEST(refused("serial") == "'serial' is not a command; write trilane run --variant serial");
  BOOST_TEST(refused("launch --time 1s") ==
             "'launch' is not a command; write trilane run --preset launch");
  BOOST_TEST(refused("comapre a b") ==
             "'comapre' is not a command; did you mean 'compare'? trilane --help lists the "
             "commands");
  BOOST_TEST(refused("sweep a b --chunksize 3") ==
             "sweep has no option '--chunksize': did you mean --chunk-size? trilane sweep --help "
             "lists all");
  BOOST_TEST(refused("list --csv a") ==
             "list has no option '--csv': it is an option of run and aa; leave it out");
  BOOST_TEST(refused("--compare a b") == "run has no option '--compare': write trilane compare");
}

BOOST_AUTO_TEST_CASE(only_the_simulated_device_takes_a_profile_a_fault_and_a_number) {
  const RunOptions options =
      parsed("--profile h100.json --fault 12=700 --gpus 8,3=95%", all_variants, true);
  BOOST_TEST(options.device.gpus == "8,3=95%");
  BOOST_TEST(options.device.profile == "h100.json");
  BOOST_TEST(options.device.fault == "12=700");
  BOOST_TEST(parsed("", all_variants, true).device.profile.empty());
  BOOST_TEST(parsed("", all_variants, true).device.fault.empty());
  const std::string only = "only trilane-sim has this option; leave it out or run trilane-sim";
  BOOST_TEST(refused("--profile h100.json") == "run has no option '--profile': " + only);
  BOOST_TEST(refused("--gpus 2") == "run has no option '--gpus': " + only);
  BOOST_TEST(refused("sweep a b --fault 12=700") == "sweep has no option '--fault': " + only);
  BOOST_TEST(refused("calibrate new --profile old") ==
             "calibrate has no option '--profile': " + only);
  BOOST_TEST(contains(refused("plan --profile old", true), "plan has no option '--profile'"));
}

BOOST_AUTO_TEST_CASE(presets_come_in_the_order_given_and_variants_in_their_own) {
  const RunOptions options = parsed("--variant pool,graph,serial --preset reduce,launch");
  BOOST_TEST((options.comparison.variants == std::vector<std::string>{"serial", "graph", "pool"}));
  BOOST_REQUIRE_EQUAL(options.workloads.size(), 2u);
  BOOST_TEST(options.workloads[0].name == "reduce");
  BOOST_TEST(options.workloads[1].name == "launch");
}

BOOST_AUTO_TEST_CASE(the_simulated_device_predicts_unless_it_is_to_check) {
  const Caller simulated = made_up_caller({"streams", "graph"}, true);
  const Caller real = made_up_caller({"streams", "graph"});
  const auto effort = [](const std::string& line, const Caller& caller) {
    return read_options(line, caller).comparison.effort;
  };
  const std::string sweep = "sweep chunks=1,2 lanes=1,2";
  for (const std::string& line : {std::string("run"), sweep}) {
    BOOST_TEST((effort(line, simulated) == Effort::predict), line);
    BOOST_TEST((effort(line + " --check", simulated) == Effort::measure), line);
    BOOST_TEST((effort(line, real) == Effort::measure), line);
  }
  BOOST_TEST((effort("aa graph", simulated) == Effort::measure));
  BOOST_CHECK_THROW(read_options("run --prove-break-even", simulated), UsageError);
  BOOST_CHECK_NO_THROW(read_options("run --prove-break-even --check", simulated));
  BOOST_CHECK_NO_THROW(read_options("run --prove-break-even", real));
  BOOST_CHECK_THROW(read_options("run --check", real), UsageError);
}

BOOST_AUTO_TEST_CASE(the_reference_is_streams_where_it_is_measured) {
  BOOST_TEST(parsed("--variant streams,graph").comparison.reference == "streams");
  BOOST_TEST(parsed("--variant graph,pool").comparison.reference.empty());
  BOOST_TEST(parsed("", {"graph"}).comparison.reference.empty());
  BOOST_TEST(parsed("--reference graph", {"graph"}).comparison.reference == "graph");
}

BOOST_AUTO_TEST_CASE(knobs_without_a_preset_make_a_custom_workload_of_balanced) {
  for (const char* knob :
       {"--chunks 16", "--chunk-size 1M", "--size 16M", "--result-size 1M", "--lanes 4",
        "--depth 1", "--rounds 9", "--kernel-time 1ms", "--order depth", "--stride 2M"}) {
    BOOST_TEST_INFO_SCOPE(knob);
    const Workload made = workload(knob);
    BOOST_TEST(made.name == "custom");
    BOOST_TEST(!made.modified);
    check_shape(made, 16, 1 << 20, 16 << 20, 1 << 20);
  }
}

BOOST_AUTO_TEST_CASE(knobs_modify_every_named_preset) {
  for (const char* knob :
       {"--chunks 4", "--chunk-size 64K", "--size 1M", "--result-size 4K", "--lanes 4", "--depth 1",
        "--rounds 9", "--kernel-time 1ms", "--order depth", "--stride 4M"}) {
    const RunOptions options = parsed(std::string("--preset compute,search ") + knob);
    BOOST_REQUIRE_EQUAL(options.workloads.size(), 2u);
    for (const Workload& made : options.workloads)
      BOOST_TEST_CONTEXT(knob << ", " << made.name) BOOST_TEST(made.modified);
  }
  BOOST_TEST(!workload("--preset compute --mode throughput --seed 2 --time 1s").modified);
}

BOOST_AUTO_TEST_CASE(shapes) {
  // balanced: 16 chunks of 1 MiB
  check_shape(workload("--size 10M"), 10, 1 << 20, 10 << 20, 1 << 20);
  check_shape(workload("--size 2621440"), 3, 1 << 20, 2621440, 1 << 20);
  check_shape(workload("--size 4K"), 1, 4096, 4096, 4096);
  check_shape(workload("--chunks 3"), 3, 1 << 20, 3 << 20, 1 << 20);
  check_shape(workload("--chunk-size 8K"), 16, 8192, 131072, 8192);
  check_shape(workload("--chunks 3 --chunk-size 8K"), 3, 8192, 24576, 8192);
  check_shape(workload("--size 40 --chunks 3"), 3, 16, 40, 16);
  check_shape(workload("--size 40 --chunks 5"), 5, 8, 40, 8);
  check_shape(workload("--size 40 --chunks 10"), 10, 4, 40, 4);
  check_shape(workload("--size 1000 --chunk-size 400"), 3, 400, 1000, 400);
  check_shape(workload("--size 1000 --chunk-size 400 --chunks 3"), 3, 400, 1000, 400);
  check_shape(workload("--size 1152921504606846976 --chunk-size 1152921504608"), 1000000,
              1152921504608, 1152921504606846976, 1152921504608);
}

BOOST_AUTO_TEST_CASE(results_follow_the_chunk_only_where_they_were_as_large) {
  BOOST_TEST(workload("--chunk-size 8K --result-size 4").result_bytes == 4u);
  BOOST_TEST(workload("--preset transfer --chunk-size 8K").result_bytes == 8192u);
  const Workload reduce = preset("reduce");
  BOOST_REQUIRE_LT(reduce.result_bytes, reduce.chunk_bytes);
  BOOST_TEST(workload("--preset reduce --chunk-size 1M").result_bytes == reduce.result_bytes);
  BOOST_TEST(workload("--preset reduce --chunk-size 64").result_bytes == 64u);
}

BOOST_AUTO_TEST_CASE(counts_that_are_suggested_work_and_are_the_nearest) {
  constexpr std::uint64_t most = 44;
  for (std::uint64_t words = 1; words <= 40; ++words) {
    std::vector<std::string> messages(1);  // by count
    for (std::uint64_t count = 1; count <= most; ++count) {
      messages.push_back(
          refused("--size " + std::to_string(words * 4) + " --chunks " + std::to_string(count)));
    }
    const auto works = [&](std::uint64_t count) { return messages[count] == "(not refused)"; };
    for (std::uint64_t count = 1; count <= most; ++count) {
      if (works(count)) continue;
      std::uint64_t below = count, above = count;
      while (!works(below)) --below;
      while (above <= words && !works(above)) ++above;
      std::string expected = "use " + std::to_string(below);
      if (above <= words) expected += " or " + std::to_string(above);
      BOOST_TEST_CONTEXT(messages[count]) BOOST_TEST(messages[count].ends_with(expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_variant_is_compared_with_itself) {
  const RunOptions options = parsed("aa graph --preset launch");
  BOOST_TEST(options.comparison.with_itself);
  BOOST_TEST(options.comparison.variants == std::vector<std::string>{"graph"});
  BOOST_TEST(options.comparison.reference == "graph");
  BOOST_TEST(repeats("aa graph --preset launch") == 0u);
  BOOST_TEST(options.comparison.seconds == 7);
  const RunOptions repeated = parsed("aa streams --repeat 400 --slow-down 0.5%");
  BOOST_TEST(repeats("aa streams --repeat 400") == 400u);
  BOOST_TEST(repeated.comparison.slow_down == 0.005);
  BOOST_TEST(repeated.comparison.seconds == 0.4);
  BOOST_TEST(parsed("aa streams --repeat 2 --time 1s").comparison.seconds == 1);
}

BOOST_AUTO_TEST_CASE(a_further_process_is_given_all_but_what_is_its_own) {
  const RunOptions options = parsed(
      "--preset launch --processes 3 --variant graph,pool --reference=pool --json a --csv b "
      "--force --seed 7 --time 2s");
  BOOST_TEST(options.processes.count == 3u);
  BOOST_TEST(options.comparison.seed == 7u);
  check_words(options.processes.arguments,
              {"run", "--preset=launch", "--reference=pool", "--variant=graph,pool"});
  BOOST_TEST(options.processes.seconds == 2.0 / 3);
  BOOST_TEST(parsed("").processes.count == 6u);
  for (const char* one : {"--variant graph", "--kernel-time 50us", "--trace t", "--processes 1"}) {
    BOOST_TEST(parsed(one).processes.count == 1u);
  }
  check_words(parsed("aa graph --processes 2 --seed 3").processes.arguments, {"aa", "graph"});
}

BOOST_AUTO_TEST_CASE(help_fits_and_names_everything) {
  const auto help = [](std::vector<const char*> words, bool simulated) {
    const std::string text = help_text(words, made_up_caller(all_variants, simulated));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      BOOST_TEST_CONTEXT(line) BOOST_TEST((line.size() <= 80 && !line.ends_with(' ')));
    return text;
  };
  for (const bool simulated : {false, true}) {
    const std::string program = help({"--help"}, simulated);
    BOOST_TEST(program.starts_with("Usage: trilane [command]"));
    BOOST_TEST(contains(std::regex_replace(program, std::regex("\\s+"), " "),
                        "every time is simulated") == simulated);
    for (const Command& command : commands(simulated)) {
      BOOST_TEST(contains(program, std::string("\n  ") + command.name + " "));
      const std::string text = help({command.name, "--help"}, simulated);
      BOOST_TEST(text.starts_with(std::string("Usage: trilane ") + command.name));
      for (const char* example : command.examples)
        BOOST_TEST(contains(text, std::string("\n  trilane ") + example + "\n"));
      for (const OptionGroup& group : groups_of(command, simulated)) {
        for (const OptionRow& row : group.rows)
          BOOST_TEST(contains(text, std::string("\n  --") + row.name), text);
      }
    }
    const std::string run = help({"run", "-h"}, simulated);
    BOOST_TEST(contains(run, "--fault") == simulated);
    for (const std::string& variant : all_variants) BOOST_TEST(contains(run, variant));
    for (const Workload& each : presets()) BOOST_TEST(contains(run, each.name));
  }
}

BOOST_AUTO_TEST_CASE(every_example_is_understood) {
  const Caller caller =
      made_up_caller({"serial", "streams", "engines", "graph", "pool", "fused"}, true);
  for (const Command& command : commands(true)) {
    for (const std::string example : command.examples) {
      const std::string words = example.substr(0, example.find_first_of("|>"));
      BOOST_TEST_CONTEXT(example)
      BOOST_TEST(read_line(words, caller).command->name == command.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_question_of_the_help_is_answered_by_a_command) {
  const Caller caller = made_up_caller({"streams", "engines", "graph", "pool", "malloc"});
  const std::string help = help_text({}, caller);
  const std::string page = std::regex_replace(man_page(caller), std::regex("\\\\-"), "-");
  for (const HelpQuestion& question : help_questions) {
    BOOST_TEST_INFO_SCOPE(question.arguments);
    BOOST_TEST(contains(help, std::string("\n    trilane ") + question.arguments + "\n"));
    BOOST_TEST(contains(
        page, std::string("\n") + question.asked + "\n.B trilane " + question.arguments + "\n"));
    BOOST_CHECK_NO_THROW(read_line(question.arguments, caller));
  }
}

BOOST_AUTO_TEST_CASE(help_says_when_an_exit_code_comes) {
  const std::string help =
      std::regex_replace(help_text({}, made_up_caller(all_variants)), std::regex("\\s+"), " ");
  BOOST_TEST(
      mentions(help, {" 2 bad command line", "before anything runs", "a file", " 5 output"}));
}

BOOST_AUTO_TEST_SUITE_END()
