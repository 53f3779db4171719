// trilane record as a user runs it, without a GPU: the application is any program.
#include <unistd.h>

#include "common/application/iteration/recording_file.hpp"
#include "tests/commands/cli/program.hpp"

namespace {

/// Records without a replay, for which the fake driver is insufficient.
Outcome record(const Words& more, Setting setting = {}) {
  setting.gpu = false;
  return run_program(joined({"record", "--no-replay"}, more), setting);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recording_an_application, Workplace,
                         *boost::unit_test::precondition(for_a_gpu))

BOOST_AUTO_TEST_CASE(options_of_a_replay_need_one) {
  check_refused(record({"--stop", "--", "true"}), "--stop", "there is no replay with --no-replay");
  check_refused(record({"--skip-host-functions", "--", "true"}), "--skip-host-functions",
                "there is no replay with --no-replay");
  check_refused(record({"--snapshot", "1G", "--", "true"}), "--snapshot '1G'",
                "there is no replay with --no-replay");
}

BOOST_AUTO_TEST_CASE(the_application_runs_as_often_as_asked_and_until_it_fails) {
  const auto recorded = [](const Words& words) { return run_without_gpu(words); };
  const Outcome twice =
      recorded({"record", "--processes", "2", "--", "sh", "-c", "echo one >> ran; cat ran"});
  BOOST_TEST(twice.code == 0);
  BOOST_TEST(twice.out == "one\none\none\n");
  const Outcome fails = recorded({"record", "--processes", "3", "--", "sh", "-c",
                                  "echo two >> again; cat again; test $(wc -l < again) -lt 2"});
  BOOST_TEST(fails.code == 1);
  BOOST_TEST(fails.says("trilane: process 2 is excluded: the application did not use CUDA"));
  BOOST_TEST(fails.says("process 2 ended with exit code 1, so 1 did not run"));
  BOOST_TEST(fails.out == "two\ntwo\ntwo\n");
  check_refused(recorded({"record", "--processes", "2", "--aa", "3", "--", "true"}),
                "--processes '2'", "--aa compares within one process");
  check_refused(record({"--processes", "2", "--", "true"}), "--processes '2'",
                "there is no replay with --no-replay");
}

BOOST_AUTO_TEST_CASE(a_program_without_cuda_is_left_as_it_is) {
  const Outcome outcome = record({"--", "sh", "-c", "printf out; printf err >&2; exit 42"});
  BOOST_TEST(outcome.code == 42);
  BOOST_TEST(outcome.out == "out");
  BOOST_TEST(outcome.err.starts_with("err"));
  BOOST_TEST(outcome.says("trilane: the application did not use CUDA"));
  BOOST_TEST(record({"--", "true"}).code == 0);
  BOOST_TEST(record({"--", "false"}).code == 1);
  BOOST_TEST(record({"true"}).code == 0);
}

BOOST_AUTO_TEST_CASE(words_after_the_dashes_belong_to_the_application) {
  const Outcome outcome = record({"--", "sh", "-c", "printf '%s|' \"$@\"", "sh", "--help", "-V", "",
                                  "--", "--force", "--iteration"});
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.out == "--help|-V||--|--force|--iteration|");
}

BOOST_AUTO_TEST_CASE(the_application_finds_the_environment_and_signals_of_a_program_of_its_own) {
  const Outcome outcome =
      record({"--", "sh", "-c", "echo $MARK; test -n \"$CUDA_INJECTION64_PATH\" && kill -PIPE $$"},
             {.environment = {{"MARK", "kept"}}});
  BOOST_TEST(outcome.out == "kept\n");
  BOOST_TEST(outcome.code == 128 + SIGPIPE);
  BOOST_TEST(outcome.says("ended by SIGPIPE"));
}

BOOST_AUTO_TEST_CASE(a_signal_is_passed_on_and_the_applications_answer_to_it_returned) {
  const auto end = [](pid_t program) {
    while (!std::filesystem::exists("ready") && is_running(program)) usleep(1'000);
    kill(program, SIGTERM);
  };
  const Outcome outcome =
      record({"--", "sh", "-c", "trap 'exit 9' TERM; : > ready; while :; do sleep 0.01; done"},
             {.meanwhile = end});
  BOOST_TEST(outcome.code == 9);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_started_is_named) {
  const Outcome missing = record({"--", "./nothing_here"}), text = record({"--", "./old"});
  BOOST_TEST(missing.code == 127);
  BOOST_TEST(missing.says("record './nothing_here': cannot be started (No such file"));
  BOOST_TEST(text.code == 126);
  BOOST_TEST(text.says("record './old': cannot be started (Permission denied"));
}

BOOST_AUTO_TEST_CASE(a_bad_command_line_starts_nothing) {
  const auto with = [](const Words& words) {
    return joined(words, {"--", "sh", "-c", ": > started"});
  };
  check_refused(record({}), "record needs one word more", "write trilane record");
  check_refused(record({"--", ""}), "record ''", "names no application");
  check_refused(record({"./app", "--size", "3"}), "'--size'", "write trilane record -- before");
  check_refused(record(with({"--with-data"})), "--with-data", "add --save FILE");
  check_refused(record(with({"--with-source"})), "--with-source", "add --save FILE");
  check_refused(record(with({"--save", "-"})), "--save '-'", "name a file");
  check_refused(record(with({"--save", "old"})), "'old'", "--force");
  check_refused(record(with({"--json", "-"})), "--json '-'", "name a file");
  check_refused(record(with({"--save", "a", "--json", "./a"})), "--json './a'",
                "is also the file of --save");
  check_refused(record(with({"--iteration", ""})), "--iteration ''", "names no NVTX range");
  check_refused(record(with({"--thread", "0"})), "--thread '0'", "a whole number from 1 to 10000");
  check_refused(record(with({"--iterations", "a"})), "--iterations", "did you mean --iteration?");
  check_refused(record(with({}), {.environment = {{"CUDA_INJECTION64_PATH", "/tool.so"}}}),
                "'/tool.so'", "unset it");
  BOOST_TEST(!std::filesystem::exists("started"));
}

BOOST_AUTO_TEST_CASE(without_a_recording_nothing_is_saved) {
  const Outcome outcome =
      record({"--save", "app.recording", "--json", "app.diagnosis", "--", "true"}).ended(0);
  BOOST_TEST(outcome.says("--save 'app.recording': there is nothing to save"));
  BOOST_TEST(outcome.says("--json 'app.diagnosis': there is nothing to save"));
  BOOST_TEST(!outcome.says("Diagnosis"));
  BOOST_TEST(!std::filesystem::exists("app.recording"));
  BOOST_TEST(!std::filesystem::exists("app.diagnosis"));
}

/// Records simulated calls: 3 an iteration, and also one inside another and one that failed.
Outcome record_fake(const Words& application, const Words& options = {}) {
  const Words all =
      joined({"--save", "app.recording", "--json", "app.diagnosis", "--force"}, options);
  return record(joined(joined(all, {"--", std::getenv("TRILANE_LOADER")}), application),
                {.environment = {{"LD_LIBRARY_PATH", std::getenv("TRILANE_FAKE")}}});
}

ApplicationRecording recorded() { return recording_from_json(content_of_file("app.recording")); }

/// Records such an application, which ends well.
ApplicationRecording recorded(const Words& application) {
  record_fake(application).ended(0);
  return recorded();
}

/// Returns the pages of the saved recording, as trilane diagnose prints them.
std::string diagnosed() { return run_without_gpu({"diagnose", "app.recording", "--all"}).out; }

BOOST_AUTO_TEST_CASE(an_iteration_is_found_and_saved_and_its_ends_are_counted) {
  for (const char* way : {"", "fork", "within"}) {
    const Outcome outcome = record_fake({"7", "200", way}, {"--all"});
    BOOST_TEST_INFO_SCOPE(way << outcome.err);
    BOOST_TEST(outcome.code == 7);
    BOOST_TEST(outcome.out == "loaded 1\n");
    BOOST_TEST(outcome.err.starts_with("trilane: 3 calls an iteration, "));
    BOOST_TEST(outcome.says(" iterations seen, one every"));
    BOOST_TEST(outcome.err.substr(outcome.err.find('\n') + 1) == diagnosed());
    BOOST_TEST(outcome.says("An iteration takes"));
    const Outcome again = run_program({"diagnose", "app.recording", "--json", "-"});
    BOOST_TEST(content_of_file("app.diagnosis") == again.out);
    const ApplicationRecording recording = recorded();
    BOOST_TEST(recording.calls.size() == 3u);
    BOOST_TEST((recording.iterations > 20u && recording.iterations <= 200u));
    BOOST_TEST(!recording.watched_us.empty());
    BOOST_TEST(recording.application.ends_with(std::string("7 200 ") + (*way ? way : "''")));
  }
}

BOOST_AUTO_TEST_CASE(another_tool_that_has_cupti_is_waited_for) {
  const Outcome leaves = record_fake({"0", "200", "profiled"}).ended(0);
  BOOST_TEST(leaves.says("trilane: 3 calls an iteration, "));
  BOOST_TEST(!leaves.says("another tool"));
  for (const char* way : {"profiled_on", "profiled_fork"}) {
    const Outcome stays = record_fake({"0", "200", way}).ended(0);
    BOOST_TEST(stays.says("another tool (a profiler, debugger or sanitizer) used CUPTI"));
  }
}

BOOST_AUTO_TEST_CASE(a_subscription_that_another_tool_ends_when_it_leaves_is_made_again) {
  BOOST_TEST(record_fake({"0", "200", "profiled_late"}).ended(0).says("3 calls an iteration, "));
}

BOOST_AUTO_TEST_CASE(a_function_of_the_runtime_is_not_disabled_by_another_thread_within_its_call) {
  record_fake({"0", "200", "meets"}).ended(0);
  BOOST_TEST(recorded().calls.size() == 3u);
  BOOST_TEST(!std::filesystem::exists("stuck"));
}

BOOST_AUTO_TEST_CASE(a_graph_keeps_its_flags_and_one_that_was_made_before_keeps_cupti) {
  record_fake({"0", "60", "graphs_flags"}).ended(0);
  BOOST_TEST(recorded().calls.at(1).refusal == "its graph may be launched by kernels");
  record_fake({"0", "200", "graphs_before"}).ended(0);
  BOOST_TEST(!std::filesystem::exists("finalized"));
}

BOOST_AUTO_TEST_CASE(copies_of_graphs_take_no_more_memory_than_allowed) {
  record_fake({"0", "60", "graphs"}, {"--memory", "3K"}).ended(0);
  BOOST_TEST(recorded().graphs.size() == 1u);
  // With the node of the child graph.
  record_fake({"0", "60", "graphs"}, {"--memory", "2K"}).ended(0);
  BOOST_REQUIRE(!recorded().calls.empty());
  BOOST_TEST(recorded().calls.front().refusal ==
             "copies of the application's graphs would exceed --memory");
}

BOOST_AUTO_TEST_CASE(a_screen_is_printed_that_says_how_to_see_more) {
  const Outcome saved = record_fake({"0", "200", ""});
  BOOST_TEST(std::ranges::count(saved.err, '\n') <= 25, saved.err);
  BOOST_TEST(saved.says("\nAnswer  An iteration takes "));
  BOOST_TEST(saved.says(" trilane diagnose app.recording --all, --calls or --races; trilane "));
  const Outcome alone = run_program(
      {"record", "--no-replay", "--", std::getenv("TRILANE_LOADER"), "0", "200", ""},
      {.gpu = false, .environment = {{"LD_LIBRARY_PATH", std::getenv("TRILANE_FAKE")}}});
  BOOST_TEST(alone.says("More    trilane record --save FILE keeps the recording, then trilane "));
  BOOST_TEST(std::ranges::count(alone.err, '\n') <= 25, alone.err);
}

BOOST_AUTO_TEST_CASE(a_range_is_the_iteration_however_it_is_given) {
  for (const char* how : {"ranges", "ranges_event", "ranges_domain", "ranges_start",
                          "ranges_start_event", "ranges_start_domain"}) {
    const Outcome outcome = record_fake({"0", "60", how}, {"--iteration", "step"});
    BOOST_TEST_INFO_SCOPE(how << outcome.err);
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.says("trilane: 3 calls an iteration, "));
    const ApplicationRecording recording = recorded();
    BOOST_TEST((recording.found == Found::range && recording.calls.size() == 3u));
  }
  BOOST_TEST(
      record_fake({"0", "60", "ranges"}, {"--iteration", "stepp"}).says("no iteration was found"));
}

BOOST_AUTO_TEST_CASE(copies_with_gaps_and_peer_copies_within_a_context_are_like_others) {
  const ApplicationRecording recording = recorded({"0", "200", "shapes"});
  BOOST_REQUIRE(recording.calls.size() == 6u);
  const RecordedCall& volume = recording.calls[2];
  BOOST_TEST(volume.bytes == 96u);
  BOOST_TEST(volume.uses.at(0).bytes == 96u);
  BOOST_TEST(volume.uses.at(1).bytes == 7u * 32 + 16);  // from the first to the last byte
  BOOST_TEST(volume.refusal == "");
  BOOST_TEST(recording.calls[3].refusal == "");
  BOOST_TEST((recording.calls[3].bytes == 64u && recording.calls[3].kind == CallKind::copy));
  BOOST_TEST(recording.calls[4].refusal == "it copies between devices");
}

BOOST_AUTO_TEST_CASE(memory_that_was_mapped_before_the_loop_is_device_memory) {
  const ApplicationRecording recording = recorded({"0", "200", "maps"});
  const RecordedMemory& memory = recording.memory[recording.calls.at(1).uses.at(0).memory];
  BOOST_TEST((memory.kind == MemoryKind::mapped && memory.bytes == 0x1000u));
  BOOST_TEST(recording.refusals.empty());  // nor does a pool matter that was set up before
}

BOOST_AUTO_TEST_CASE(a_pool_that_is_trimmed_in_the_iteration_is_a_call_that_no_replay_repeats) {
  const ApplicationRecording recording = recorded({"0", "200", "trims"});
  BOOST_REQUIRE(recording.calls.size() == 4u);
  BOOST_TEST((recording.calls[2].kind == CallKind::other));
  BOOST_TEST(recording.calls[2].refusal ==
             "it makes, sets, trims or releases a pool that memory comes from");
}

BOOST_AUTO_TEST_CASE(cupti_leaves_an_application_that_calls_from_one_thread) {
  for (const char* way : {"", "frees", "captures"}) {
    BOOST_TEST_INFO_SCOPE(way);
    record_fake({"0", "200", way});
    BOOST_TEST(content_of_file("finalized").starts_with("cuStreamSynchronize "));
    BOOST_TEST(std::filesystem::remove("finalized"));
  }
  for (const char* way : {"ranges", "ranges_runtime"}) {
    record_fake({"0", "200", way}, {"--iteration", "step"});
    BOOST_TEST(content_of_file("finalized") == "cuStreamSynchronize 1 0", way);
    std::filesystem::remove("finalized");
  }
  for (const char* way : {"threads", "helps", "polls", "moves"}) {
    record_fake({"0", "7000", way});
    BOOST_TEST(!std::filesystem::exists("finalized"), way);
  }
}

BOOST_AUTO_TEST_CASE(cupti_leaves_also_where_a_loop_within_the_iteration_was_taken_for_it) {
  const Outcome outcome = record_fake({"0", "200", "nests"}).ended(0);
  BOOST_TEST_INFO_SCOPE(outcome.err);
  BOOST_TEST(outcome.says("trilane: 21 calls an iteration, "));
  // The runtime was listened to twice, and is not any more.
  BOOST_TEST(content_of_file("finalized") == "cuStreamSynchronize 2 0");
}

BOOST_AUTO_TEST_CASE(a_loop_without_a_wait_is_not_traced_and_left) {
  const Outcome outcome = record_fake({"0", "7000", "polls"});
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_TEST(outcome.code == 0);
    const ApplicationRecording recording = recorded();
    BOOST_TEST((recording.found == Found::repeats && recording.calls.size() == 2u));
    BOOST_TEST(recording.iterations < 6000u);
  }
  const std::string said = record_fake({"0", "2000", "polls"}).err;
  BOOST_TEST(contains(std::regex_replace(said, std::regex("[ \n]+"), " "),
                      "2 calls repeat 2000 times, but none waits: without a wait, 10000 calls are "
                      "needed. Each takes"));
}

BOOST_AUTO_TEST_CASE(a_batch_of_copies_is_one_call_with_the_ranges_of_each) {
  const ApplicationRecording recording = recorded({"0", "200", "batches"});
  BOOST_REQUIRE(recording.calls.size() == 4u);
  const RecordedCall& batch = recording.calls[2];
  BOOST_TEST((batch.kind == CallKind::copy));
  BOOST_TEST(batch.refusal == "");
  BOOST_TEST(batch.bytes == 64u);
  BOOST_REQUIRE(batch.uses.size() == 4u);
  BOOST_TEST((batch.uses[1].bytes == 16u && batch.uses[1].use == Use::writes));
  BOOST_TEST((batch.uses[2].bytes == 48u && batch.uses[2].use == Use::reads));
}

BOOST_AUTO_TEST_CASE(launches_are_recorded_with_their_attributes) {
  const ApplicationRecording recording = recorded({"0", "200", "attributes"});
  BOOST_REQUIRE(recording.calls.size() == 6u);
  const LaunchAttributes early{.programmatic = true, .cluster = {2, 1, 1}};
  BOOST_TEST((recording.calls[2].attributes == early));
  BOOST_TEST((recording.calls[3].attributes == LaunchAttributes{.unknown = 1}));
  BOOST_TEST((recording.calls[4].attributes == LaunchAttributes{.cooperative = true}));
  BOOST_TEST(!recording.calls[1].attributes.has_value());
}

BOOST_AUTO_TEST_CASE(captures_that_the_application_tries_in_vain_are_recorded_and_said) {
  const Outcome outcome = record_fake({"0", "200", "capture_fails"});
  BOOST_TEST_INFO_SCOPE(outcome.err);
  BOOST_TEST(outcome.says("trilane: 3 calls an iteration, "));
  const ApplicationRecording recording = recorded();
  BOOST_REQUIRE(recording.captures.has_value());
  BOOST_TEST(recording.captures->ended >= 20u);
  BOOST_REQUIRE(recording.captures->failed.size() == 1u);
  const CaptureCall& failed = recording.captures->failed[0];
  BOOST_TEST((failed.kind == CallKind::memset));
  BOOST_TEST(failed.runtime == "cudaCall");  // as the fake CUPTI calls each of them
  BOOST_TEST(failed.code == 906u);
  BOOST_TEST(2 * failed.count == recording.captures->ended);
  BOOST_TEST(contains(content_of_file("app.diagnosis"), "failed in the application"));
}

BOOST_AUTO_TEST_CASE(a_pool_that_grows_has_the_causes_in_the_order_of_streams) {
  record_fake({"0", "0", "pools"}).ended(0);
  const std::vector<RecordedPool> pools = recorded().resources.value().pools;
  BOOST_REQUIRE(pools.size() == 3u);  // one was destroyed
  using Growth = std::pair<GrowthCause, std::uint64_t>;
  std::multiset<Growth> growth,
      wanted{{GrowthCause::needed, 64}, {GrowthCause::needed, 9}, {GrowthCause::needed, 10}};
  for (const PoolGrowth& one : pools[0].growth) {
    BOOST_TEST((one.count == 1u && one.stack.has_value()));
    growth.emplace(one.cause, one.bytes >> 20);
  }
  for (const std::uint64_t by : {1, 2, 3, 4, 8, 11, 12, 13}) wanted.emplace(GrowthCause::sizes, by);
  for (const std::uint64_t by : {5, 6, 7, 14}) wanted.emplace(GrowthCause::other_stream, by);
  for (const std::uint64_t by : {30, 20}) wanted.emplace(GrowthCause::given_back, by);
  BOOST_TEST((growth == wanted));
  constexpr std::uint64_t most = (64 + 45 + 50 + 10) << 20;
  BOOST_TEST((pools[0].reserved == most && pools[0].reserved_most == most));
  BOOST_TEST((pools[0].used_most == most / 2 && pools[0].threshold == 0u));
  BOOST_TEST((pools[0].every == 4u && pools[0].samples.size() == pools[0].allocations / 4));
  BOOST_TEST(pools[1].allocations == 2u);
  BOOST_TEST(pools[2].growth.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_a_pool_took_while_ends_were_watched_has_no_cause) {
  record_fake({"0", "200", "grows"}).ended(0);
  const RecordedPool pool = recorded().resources.value().pools.at(0);
  BOOST_TEST((pool.allocations > 10u && pool.allocations < 100u));
  BOOST_TEST((pool.samples.size() == pool.allocations && pool.samples.front() == 1u << 20));
  std::map<GrowthCause, std::uint64_t> bytes;
  for (const PoolGrowth& one : pool.growth) bytes[one.cause] += one.bytes;
  BOOST_TEST(bytes[GrowthCause::needed] == 1u << 20);
  BOOST_TEST(bytes[GrowthCause::sizes] > 5u << 20);  // the block before is free and large enough
  BOOST_TEST(bytes[GrowthCause::unheard] > 5u << 20);
  BOOST_TEST((pool.reserved == pool.samples.back() && pool.reserved > 50u << 20));
}

BOOST_AUTO_TEST_CASE(each_capture_is_followed_to_its_end_also_outside_the_iteration) {
  record_fake({"0", "200", "tries_captures"}, {"--all"}).ended(0);
  const RecordedCaptures captures = recorded().captures.value();
  BOOST_TEST(captures.ended == 2006u);
  using enum CaptureEffect;
  const auto check = [](const CaptureCall& call, CallKind kind, std::uint32_t code,
                        const CapturePlace& wanted) {
    BOOST_TEST((call.kind == kind && call.code == code && call.count == 1u));
    CapturePlace place = call.place.value();
    BOOST_TEST(place.stack.has_value());
    BOOST_TEST(place.begin.has_value());
    place.stack = place.begin = place.fork = std::nullopt;
    place.thread = place.begun_by = 0;
    BOOST_TEST((place == wanted),
               int(place.effect) << int(place.mode) << int(place.stream) << place.other_thread);
  };
  using enum CaptureMode;
  using enum CaptureStream;
  BOOST_REQUIRE(captures.failed.size() == 3u);
  check(captures.failed[0], CallKind::allocate, 900, {.mode = global, .other_thread = true});
  check(captures.failed[1], CallKind::other, 904, {.mode = relaxed, .stream = captured});
  check(captures.failed[2], CallKind::allocate, 900, {.mode = relaxed});
  const CaptureAudit& audit = captures.audit.value();
  const RecordedStack& fork = audit.source.stacks.at(captures.failed[1].place->fork.value());
  BOOST_TEST(std::ranges::any_of(fork.frames, [&](std::uint32_t frame) {
    return contains(audit.source.frames.at(frame).function, "fork_without_join");
  }));
  BOOST_REQUIRE(audit.calls.size() == 5u);
  check(audit.calls[0], CallKind::memset, 0, {.effect = left_out, .mode = global, .stream = other});
  check(audit.calls[1], CallKind::copy, 0,
        {.effect = lost_batch, .mode = global, .stream = captured});
  check(audit.calls[2], CallKind::allocate_async, 0,
        {.effect = allocates, .mode = global, .stream = captured});
  check(audit.calls[3], CallKind::query, 907, {.effect = refused, .mode = per_thread});
  check(audit.calls[4], CallKind::other, 908,
        {.effect = refused, .mode = per_thread, .stream = captured, .other_thread = true});
  BOOST_TEST(audit.unheard == 0u);
  std::uint64_t ended = 0, failed = 0, elsewhere = 0;
  for (const CaptureSite& site : audit.sites) {
    ended += site.ended;
    failed += site.failed;
    elsewhere += site.elsewhere;
  }
  BOOST_TEST((ended == 2006u && failed == 3u && elsewhere == 1u));
}

BOOST_AUTO_TEST_CASE(executable_graphs_are_counted_by_place_also_at_a_glance) {
  for (const char* const how : {"graph_costs", "graph_costs_glanced"}) {
    BOOST_TEST_CONTEXT(how) {
      const Outcome outcome = record_fake({"0", "200", how}, {"--all"});
      BOOST_TEST_INFO_SCOPE(outcome.err);
      outcome.ended(0);
      const RecordedResources resources = recorded().resources.value();
      const RecordedSource& source = resources.source;
      BOOST_REQUIRE(resources.executables.size() == 4u);
      RecordedExecutables all[4];
      std::ranges::copy(resources.executables, all);
      const char* const functions[] = {"pile_up", "launch_once", "launch_never", "launch_often"};
      for (int i = 0; i < 4; ++i) {
        BOOST_TEST_CONTEXT(functions[i]) {
          const RecordedStack& stack = source.stacks.at(all[i].stack.value());
          BOOST_TEST(std::ranges::any_of(stack.frames, [&](std::uint32_t frame) {
            return contains(source.frames.at(frame).function, functions[i]);
          }));
          BOOST_TEST(all[i].nodes == 3u);
          BOOST_TEST(all[i].instantiate_us > 0);
          BOOST_TEST((all[i].launch_us > 0) == (all[i].launches > 0));
          BOOST_TEST((all[i].update_us > 0 && all[i].set_us > 0) == (i == 3));
          all[i].stack.reset();
          all[i].nodes = 0;
          all[i].instantiate_us = all[i].launch_us = all[i].update_us = all[i].set_us = 0;
        }
      }
      constexpr std::uint64_t mib = 1 << 20;
      using R = RecordedExecutables;
      BOOST_TEST((all[0] == R{.made = 12, .again = 11, .bytes = 72 * mib, .launches = 24}));
      BOOST_TEST((all[1] == R{.made = 12, .destroyed = 12, .once = 12, .launches = 12}));
      BOOST_TEST((all[2] == R{.made = 12, .destroyed = 12, .never = 12}));
      BOOST_TEST(
          (all[3] ==
           R{.made = 2, .reused = 11, .bytes = 5 * mib, .launches = 22, .updates = 3, .sets = 2}));
      const std::string said = std::regex_replace(outcome.err, std::regex("[ \\n]+"), " ");
      BOOST_TEST(contains(said, " pile up, and took 72 MiB."));
      BOOST_TEST(contains(said, " 12 of 12 executable graphs made at "));
      BOOST_TEST(contains(said, " were never launched: "));
      BOOST_TEST(!contains(said, " of 2 executable graphs "));
    }
  }
}

BOOST_AUTO_TEST_CASE(managed_memory_keeps_a_replay_away_even_if_no_call_of_the_iteration_names_it) {
  const Outcome outcome = run_program(
      {"record", "--", std::getenv("TRILANE_LOADER"), "0", "200", "managed"},
      {.gpu = false, .environment = {{"LD_LIBRARY_PATH", std::getenv("TRILANE_FAKE")}}});
  BOOST_TEST_INFO_SCOPE(outcome.err);
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.says("3 calls an iteration, "));
  BOOST_TEST(outcome.says("Nothing is claimed: cuCall: it allocates managed memory"));
}

BOOST_AUTO_TEST_CASE(what_was_found_before_a_crash_is_kept) {
  const Outcome late = record_fake({"0", "200", "late_abort"}, {"--all"});
  BOOST_TEST_INFO_SCOPE(late.err);
  BOOST_TEST(late.code == 128 + SIGABRT);
  BOOST_TEST(late.says("3 calls an iteration, "));
  BOOST_TEST(late.says("ended by SIGABRT"));
  BOOST_TEST(late.err.ends_with(diagnosed()));
  BOOST_TEST(recorded().calls.size() == 3u);
}

BOOST_AUTO_TEST_CASE(without_an_iteration_the_calls_are_counted_and_the_end_is_named) {
  const Outcome crash = record_fake({"0", "2", "abort"}), few = record_fake({"0", "2"});
  BOOST_TEST(crash.says("no iteration was found; the application was ended by SIGABRT after 6"));
  BOOST_TEST(few.says("no iteration was found; the application ended after 6 calls"));
  BOOST_TEST(few.code == 0);
}

BOOST_AUTO_TEST_CASE(only_the_thread_that_was_asked_for_is_recorded) {
  BOOST_TEST(record_fake({"0", "200"}, {"--thread", "1"}).says("trilane: 3 calls an iteration, "));
  BOOST_TEST(record_fake({"0", "200"}, {"--thread", "2"}).says("no iteration was found"));
  BOOST_TEST(recorded().why_none.starts_with("thread 2 was asked for, and 1 called the driver"));
}

using Kinds = std::vector<CallKind>;

Kinds kinds_of(const auto& operations) {
  Kinds kinds;
  for (const auto& one : operations) kinds.push_back(one.kind);
  return kinds;
}

BOOST_AUTO_TEST_CASE(a_graph_is_known_when_the_application_has_destroyed_its_own) {
  const Outcome outcome = record_fake({"0", "60", "graphs"}, {"--all"});
  BOOST_TEST_INFO_SCOPE(outcome.err);
  const ApplicationRecording recording = recorded();
  BOOST_TEST(
      (kinds_of(recording.calls) == Kinds{CallKind::graph_launch, CallKind::synchronize_stream}));
  BOOST_REQUIRE(recording.graphs.size() == 1u);
  const auto& nodes = recording.graphs[0].nodes;
  BOOST_REQUIRE((kinds_of(nodes) == Kinds{CallKind::copy, CallKind::kernel, CallKind::memset}));
  BOOST_TEST(nodes[0].bytes == 64u);
  BOOST_TEST((nodes[1].after == std::vector<std::uint32_t>{0}));
  BOOST_TEST((nodes[1].grid == std::vector<std::uint32_t>{4, 1, 1}));
  BOOST_TEST((nodes[2].after == std::vector<std::uint32_t>{1}));  // over the empty node
  BOOST_TEST(nodes[2].bytes == 32u);
  BOOST_TEST(recording.kernels.at(0).name == "fake");
  BOOST_TEST(recording.calls[0].refusal == "");
  BOOST_TEST(outcome.says("It launches 1 graph of 1 kernel, 1 copy and 1 memset."));
}

BOOST_AUTO_TEST_CASE(the_memory_that_a_graph_allocates_is_known) {
  const ApplicationRecording recording = recorded({"0", "60", "graphs_memory"});
  BOOST_REQUIRE(recording.graphs.size() == 1u);
  const auto& nodes = recording.graphs[0].nodes;
  BOOST_REQUIRE((kinds_of(nodes) == Kinds{CallKind::allocate_async, CallKind::memset,
                                          CallKind::copy, CallKind::free_async}));
  const std::uint32_t scratch = nodes[0].uses.at(0).memory;
  BOOST_TEST((recording.memory[scratch].kind == MemoryKind::pool));
  BOOST_TEST(recording.memory[scratch].bytes == 64u);
  for (const RecordedNode& node : nodes) BOOST_TEST(node.uses.at(0).memory == scratch);
  BOOST_TEST(recording.calls[0].refusal ==
             "a node of its graph copies host memory, and the driver cannot copy the graph");
}

BOOST_AUTO_TEST_CASE(what_a_conditional_node_may_run_is_known) {
  const ApplicationRecording recording = recorded({"0", "60", "graphs_loop"});
  BOOST_REQUIRE(recording.graphs.size() == 1u);
  const auto& nodes = recording.graphs[0].nodes;
  BOOST_REQUIRE((kinds_of(nodes) == Kinds{CallKind::other, CallKind::memset}));
  BOOST_TEST((nodes[1].after == std::vector<std::uint32_t>{0}));
  BOOST_TEST(recording.calls[0].refusal == "");
}

BOOST_AUTO_TEST_CASE(changes_of_a_graph_are_calls_of_the_iteration) {
  for (const char* how : {"graphs_set", "graphs_update"}) {
    const Outcome outcome = record_fake({"0", "60", how});
    BOOST_TEST_INFO_SCOPE(how << outcome.err);
    const ApplicationRecording recording = recorded();
    BOOST_TEST((kinds_of(recording.calls) == Kinds{CallKind::change_graph, CallKind::graph_launch,
                                                   CallKind::synchronize_stream}));
    BOOST_REQUIRE(recording.graphs.size() == 1u);
    BOOST_TEST(recording.graphs[0].nodes.size() == 3u);
    const bool set = std::string(how) == "graphs_set";
    const Variation varies = set ? Variation::changes : Variation::constant;
    BOOST_TEST((recording.calls[0].pointers == varies && recording.calls[1].pointers == varies));
  }
}

BOOST_AUTO_TEST_CASE(a_graph_that_cannot_be_followed_is_said_to_be_so) {
  const ApplicationRecording recording = recorded({"0", "60", "graphs_disable"});
  BOOST_TEST(recording.graphs.empty());
  BOOST_REQUIRE(recording.calls.size() == 2u);
  BOOST_TEST(recording.calls[0].refusal ==
             "it changes an executable graph in a way that the recorder does not support");
}

BOOST_AUTO_TEST_CASE(the_runtime_s_time_is_told_apart_and_what_listening_costs_is_measured) {
  const Outcome outcome = record_fake({"0", "60", "graphs_runtime"});
  const ApplicationRecording recording = recorded();
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_REQUIRE(recording.calls.size() == 2u);
    const RecordedCall &launch = recording.calls[0], &wait = recording.calls[1];
    BOOST_TEST((launch.runtime == "cudaCall" && wait.runtime == ""));
    BOOST_TEST((launch.runtime_us > 0.0 && wait.runtime_us.has_value()));
    BOOST_TEST(recording.listening.has_value());
  }
  record_fake({"0", "200"});  // with no driver to measure it with
  BOOST_TEST(!recorded().listening);
}

/// The driver loads the library even if CUPTI then finds that it cannot work.
BOOST_AUTO_TEST_CASE(the_library_lets_a_program_without_a_driver_run_on) {
  const Outcome outcome = record({"--", std::getenv("TRILANE_LOADER"), "5"}).ended(5);
  BOOST_TEST_INFO_SCOPE(outcome.err);
  BOOST_TEST(outcome.out == "loaded 1\n");
  BOOST_TEST(!outcome.says("did not use CUDA"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(recording_on_a_simulated_device,
                      *boost::unit_test::precondition(for_the_simulated_device))

BOOST_AUTO_TEST_CASE(the_command_is_that_of_another_program) {
  check_refused(record({"--", "true"}), "'record' is not a command", "only trilane has it");
}

BOOST_AUTO_TEST_SUITE_END()
