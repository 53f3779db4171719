// The recording's file: everything written can be read, and nothing else. The application's own
// data are in it only on request.
#include "common/application/iteration/recording_file.hpp"

#include "common/base/json/misfit.hpp"
#include "tests/application/finding/fake_application.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(recording_file)

RecordedCall full_launch() {
  RecordedCall call;
  call.kind = CallKind::kernel;
  call.name = "cuLaunchKernel";
  call.runtime = "cudaLaunchKernel";
  call.start_us = 1.25;
  call.host_us = 3.5;
  call.device_start_us = -2.5;
  call.device_us = 40.125;
  call.own_us = 0.5;
  call.call_us = 2.5;
  call.runtime_us = 0.25;
  call.stream = 1;
  call.kernel = 0;
  call.grid = {4, 2, 1};
  call.block = {256, 1, 1};
  call.shared_bytes = 1024;
  call.attributes = LaunchAttributes{.cooperative = true,
                                     .programmatic = true,
                                     .cluster = {2, 1, 1},
                                     .priority = -4,
                                     .others = 2,
                                     .unknown = 1};
  call.uses = {{0, 64, 960, Use::may_use}, {1, 0, 77, Use::reads}};
  call.arguments = {Variation::constant, Variation::changes};
  call.refusal = "why not";
  return call;
}

ApplicationRecording full_recording() {
  ApplicationRecording r;
  r.application = "./app --name \"x\"";
  r.machine = {"H200", "580.1", "13.0", "host"};
  r.simulated = true;
  r.found = Found::range;
  r.range = "step";
  r.calls_before = 12;
  r.iterations = 400;
  r.recorded = 10;
  r.iteration_us = {100.5, 101};
  r.watched_us = {99.25};
  r.listening = ListeningCosts{0.125, 0.75};
  r.broken = BrokenPeriod{6, 4, 5, "one", "other"};
  r.why_none = "it changed";
  r.issuing = RecordedThreads{0, 3, 2, true, {55.5}};
  r.streams = {{StreamKind::legacy, 0}, {StreamKind::non_blocking, -5}};
  r.memory = {{MemoryKind::pool, 1024, true}, {MemoryKind::pageable, 0, false}};
  r.kernels = {{"scale<float>(float*)", {{8, true}, {4, false}}, 32, 2048, true, false}};
  RecordedCall copy;
  copy.kind = CallKind::copy;
  copy.name = "cuMemcpyHtoDAsync_v2";
  copy.bytes = 1024;
  copy.uses = {{1, 0, 1024, Use::reads}, {0, 0, 1024, Use::writes}};
  copy.pointers = Variation::alternates;
  RecordedCall wait;
  wait.kind = CallKind::wait_event;
  wait.event = 2;
  RecordedCall graph;
  graph.kind = CallKind::graph_launch;
  graph.name = "cuGraphLaunch";
  graph.graph = 0;
  RecordedNode in = operation_from<RecordedNode>(copy),
               kernel = operation_from<RecordedNode>(full_launch());
  in.bytes = 512;
  in.uses = {{0, 500, 512, Use::reads}};
  kernel.grid = {7, 1, 1};
  kernel.block = {128, 1, 1};
  kernel.uses = {{0, 0, 96, Use::may_use}};
  kernel.after = {0};
  r.graphs = {{{in, kernel}}};
  r.calls = {full_launch(), copy, wait, graph};
  r.refusals = {{"cuMemAllocManaged", "managed memory", 3}};
  const CapturePlace place{.effect = CaptureEffect::refused,
                           .mode = CaptureMode::relaxed,
                           .stream = CaptureStream::legacy,
                           .loads = true,
                           .other_thread = true,
                           .thread = 2,
                           .begun_by = 1,
                           .stack = 0,
                           .begin = 0,
                           .fork = 0};
  r.captures = RecordedCaptures{
      9,
      {{"cuMemsetD8_v2", "cudaMemset", CallKind::memset, 906, 8}},
      CaptureAudit{.sites = {{CaptureMode::per_thread, 0, 7, 6, 5}},
                   .calls = {{"cuModuleLoad", "", CallKind::other, 900, 1, place}},
                   .unheard = 4,
                   .source = {.frames = {{.function = "f"}}, .stacks = {{{0}}}, .shared = 0}}};
  r.threads = 2;
  r.contexts = 3;
  r.source = RecordedSource{{{.function = "main", .file = "app.cpp", .line = 7, .own = true},
                             {.module = "libapp.so", .offset = 0xffff'ffff'ffff'ffff}},
                            {{{0}}, {{0, 1}}},
                            1};
  r.calls[1].stack = 1;
  r.resources = RecordedResources{
      .executables = {{0, 9, 8, 7, 6, 5, 4, 3, 2048, 20, 21, 22, 90.5, 91.5, 92.5, 93.5}},
      .pools = {{.reserved = 1,
                 .used = 2,
                 .reserved_most = 3,
                 .used_most = 4,
                 .threshold = UINT64_MAX,
                 .allocations = 5,
                 .every = 6,
                 .samples = {7, 8},
                 .growth = {{GrowthCause::sizes, 0, 9, 10}, {GrowthCause::needed, {}, 11, 12}}}},
      .source = {.frames = {{.function = "f"}}, .stacks = {{{0}}}, .shared = 0}};
  return r;
}

std::string refusal(const std::string& text) {
  return trilane::refusal<std::invalid_argument>([&] { recording_from_json(text); });
}

std::string refusal(const ApplicationRecording& recording) {
  return refusal(recording_to_json(recording));
}

BOOST_AUTO_TEST_CASE(a_recording_comes_back_as_it_was) {
  for (const ApplicationRecording& recording : {full_recording(), ApplicationRecording{}}) {
    const std::string text = recording_to_json(recording);
    BOOST_TEST(recording_to_json(recording_from_json(text)) == text);
    BOOST_TEST(is_recording(text));
  }
  const ApplicationRecording written = full_recording(),
                             read = recording_from_json(recording_to_json(written));
  BOOST_TEST((read.calls == written.calls && read.memory == written.memory));
  BOOST_TEST((read.kernels == written.kernels && read.streams == written.streams));
  BOOST_TEST((read.listening == written.listening && read.captures == written.captures));
  BOOST_TEST((read.source == written.source && read.resources == written.resources));
  BOOST_TEST((read.graphs == written.graphs && read.calls[3].graph == 0u));
  BOOST_TEST(recording_to_json(written).starts_with("{\n  \"schema\": \"trilane recording\",\n"));
}

BOOST_AUTO_TEST_CASE(a_recording_of_a_version_before_is_read_and_written_anew) {
  ApplicationRecording old = full_recording();
  old.calls[0].attributes.reset();
  old.captures.reset();
  old.kernels[0].waits_for_previous = old.kernels[0].triggers_next = std::nullopt;
  old.source.reset();
  old.resources.reset();
  old.calls[1].stack.reset();
  const std::string text = recording_to_json(old);
  BOOST_TEST(text.find("attributes") == std::string::npos);
  BOOST_TEST(text.find("captures") == std::string::npos);
  BOOST_TEST(text.find("stack") == std::string::npos);
  BOOST_TEST(text.find("waits_for") == std::string::npos);
  for (const char* version : {"\"schema_version\": 1", "\"schema_version\": 4"}) {
    const std::string before = with(text, "\"schema_version\": 5", version);
    BOOST_TEST(recording_to_json(recording_from_json(before)) == text);
  }
}

BOOST_AUTO_TEST_CASE(what_points_outside_is_refused_with_its_place) {
  const std::string text = recording_to_json(full_recording());
  const struct {
    const char *from, *to, *message;
  } cases[]{
      {"trilane recording", "other", ".schema is \"other\""},
      {"\"schema_version\": 5", "\"schema_version\": 6", ".schema_version is 6"},
      {"\"stack\": 1", "\"stack\": 2", ".calls[1].stack is 2, and there are 2 stacks"},
      {"[0, 1]", "[0, 2]", ".source.stacks[1].frames[1] is 2, and there are 2 frames"},
      {"\"shared\": 1", "\"shared\": 2", ".source.stacks[0].frames has 1 entries"},
      {"[2, 1, 1]", "[2, 1]", ".calls[0].attributes.cluster has 2 numbers but must have 3"},
      {"\"stream\": 1", "\"stream\": 2", ".calls[0].stream is 2, and there are 2 streams"},
      {"\"event\": 2", "\"event\": 4", ".calls[2].event is 4, and there are 4 calls"},
      {"\"kernel\": 0,\n      \"grid\": [4", "\"kernel\": 1,\n      \"grid\": [4",
       ".calls[0].kernel is 1, and there are 1 kernels"},
      {"\"memory\": 0,\n          \"offset\": 64", "\"memory\": 2,\n          \"offset\": 64",
       ".calls[0].uses[0].memory is 2"},
      {"\"offset\": 500", "\"offset\": 600", ".graphs[0].nodes[0].uses[0].bytes is 512 from 600"},
      {"[7, 1, 1]", "[7, 1]", ".graphs[0].nodes[1].grid has 2 numbers but must have 3"},
      {"\"after\": [0]", "\"after\": [1]", ".graphs[0].nodes[1].after[0] is 1, and only earlier"},
      {"\"graph\": 0", "\"graph\": 1", ".calls[3].graph is 1, and there are 1 graphs"},
      {"\"offset\": 64", "\"offset\": 65", ".calls[0].uses[0].bytes is 960 from 65 on"},
      {"\"offset\": 64", "\"offset\": 18446744073709551615", "uses[0].bytes is 960 from 1844"},
      {"[4, 2, 1]", "[4, 2]", ".calls[0].grid has 2 numbers but must have 3"},
      {"[4, 2, 1]", "[4, 0, 1]", ".calls[0].grid holds a 0"},
      {"[256, 1, 1]", "[]", ".calls[0].block has 0 numbers"},
      {"\"kind\": \"kernel\"", "\"kind\": \"memset\"",
       ".graphs[0].nodes[1].grid has 3 numbers but must"},
      {"\"kind\": \"kernel\"", "\"kind\": \"colonel\"",
       ".graphs[0].nodes[1].kind is not one of \"kernel\""},
      {"\"changes\"", "\"varies\"", ".calls[0].arguments[1] is not one of"},
      {"\"found\": \"range\"", "\"found\": \"none\"", ".recorded is not 0"},
      {"\"found\": \"range\"", "\"found\": \"in kind\"", ".unequal is only for steps"},
      {"\"found\": \"range\"", "\"found\": \"range\", \"unequal\": {\"calls\": 1, \"others\": 0}",
       ".unequal is only for steps"},
      {"\"found\": \"range\"",
       "\"found\": \"in kind\", \"unequal\": {\"calls\": 9999, \"others\": 0}",
       ".unequal.calls is 9999, of"},
      {"\"range\": \"step\"", "\"range\": \"\"", ".range is empty"},
      {"\"recorded\": 10", "\"recorded\": 401", ".recorded is 401, of 400 iterations"},
      {"\"at\": 5", "\"at\": 7", ".broken.at is 7, and there are 6 calls"},
      {"\"others\": 3", "\"others\": -1", ".issuing.others is not a whole"},
      {"\"thread\": 0", "\"thread\": 1", ".issuing.thread is 1, and 2 threads make the calls"},
      {"\"host_us\": 3.5", "\"host_us\": -1", ".calls[0].host_us is"},
      {"\"host_us\": 3.5", "\"host_us\": 1e300", ".calls[0].host_us is"},
      {"\"runtime_us\": 0.25", "\"runtime_us\": -1", ".calls[0].runtime_us is"},
      {"\"within_us\": 0.75", "\"within_us\": -1", ".listening.within_us is"},
      {"\"priority\": -5", "\"priority\": -2147483649", ".streams[1].priority is not a whole"},
      {"\"threads\": 2", "\"threads\": -2", ".threads is not a whole"},
      {"\"calls_before\": 12,", "", ".calls_before is missing"},
  };
  for (const auto& [from, to, message] : cases) {
    const std::string answer = refusal(with(text, from, to));
    BOOST_TEST(contains(answer, message), to << " gave: " << answer);
    BOOST_TEST(answer.starts_with("recording file: "));
  }
}

BOOST_AUTO_TEST_CASE(members_fit_each_other) {
  const struct {
    void (*change)(ApplicationRecording& recording);
    const char* message;
  } cases[]{{[](auto& r) { r.calls[0].arguments.pop_back(); }, ".calls[0].arguments has 1 entries"},
            {[](auto& r) { r.calls[1].arguments = {Variation::constant}; },
             ".calls[1].arguments is only for"},
            {[](auto& r) { r.calls[1].graph = 0; }, ".calls[1].graph is only for"},
            {[](auto& r) { r.calls[1].runtime_us = 1; }, ".calls[1].runtime_us is there without"},
            {[](auto& r) { r.graphs[0].nodes[0].kind = CallKind::graph_launch; },
             "nodes[0].kind is a launch within"},
            {[](auto& r) { r.captures->audit->sites[0].begin = 1; },
             ".captures.sites.begin is 1, and there are 1 stacks"},
            {[](auto& r) { r.captures->audit->calls[0].place->fork = 1; },
             ".captures.place.fork is 1, and there are 1 stacks"},
            {[](auto& r) { r.captures->failed[0].place = CapturePlace{.stack = 1}; },
             ".captures.place.stack is 1, and there are 1 stacks"},
            {[](auto& r) { r.resources->executables[0].stack = 1; },
             ".resources.executables[0].stack is 1, and there are 1 stacks"},
            {[](auto& r) { r.resources->pools[0].growth[0].stack = 1; },
             ".resources.pools[0].growth[0].stack is 1, and there are 1 stacks"},
            {[](auto& r) { r.machine.multiprocessors = Multiprocessors{}; },
             ".machine.multiprocessors.count is 0"},
            {[](auto& r) { r.watched_us.assign(1001, 1.0); }, ".watched_us has 1001 entries"},
            {[](auto& r) { r.calls.clear(); }, ".calls is empty"},
            {[](auto& r) { r.calls[0].device_start_us = -8e10; }, "(not refused)"},
            {[](auto& r) {
               r.calls[0].device_start_us = -8e10;
               r.iteration_us = {1e-9};
               for (RecordedCall& call : r.calls) call.start_us = call.host_us = 0;
             },
             ".calls[0] has device times 8e+10 us off its"}};
  for (const auto& [change, message] : cases) {
    ApplicationRecording recording = full_recording();
    change(recording);
    BOOST_TEST(contains(refusal(recording), message), message);
  }
  ApplicationRecording recording = full_recording();
  recording.streams.resize(10'000);
  recording.calls.resize(10'000);
  BOOST_CHECK_NO_THROW(cross_check(recording));
  recording.calls.emplace_back();
  BOOST_CHECK_EXCEPTION(cross_check(recording), Misfit, [](const Misfit& misfit) {
    return in_words(misfit) ==
           ".calls has 10001 entries, and with 10000 streams at most 10000 are accepted";
  });
  recording = full_recording();
  recording.iteration_us = {std::numeric_limits<double>::quiet_NaN()};
  BOOST_CHECK_THROW(recording_to_json(recording), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(damaged_text_is_refused_or_read_whole) {
  const std::string text = recording_to_json(full_recording());
  for (std::size_t length = 0; length < text.size() - 2; length += 7) {
    BOOST_REQUIRE(refusal(text.substr(0, length)).find("recording file: byte") == 0);
  }
  std::mt19937 random(17);
  const std::string characters = "0123456789-{}[],:\"eE.truefalsn \n";
  int read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      damaged[random() % damaged.size()] = characters[random() % characters.size()];
    }
    try {
      const std::string again = recording_to_json(recording_from_json(damaged));
      BOOST_REQUIRE_EQUAL(recording_to_json(recording_from_json(again)), again);
      ++read;
    } catch (const std::invalid_argument& error) {
      BOOST_REQUIRE(std::string(error.what()).find('\n') == std::string::npos);
    }
  }
  BOOST_TEST((0 < read && read < 2000));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(recorded_data)

constexpr std::uint32_t secret = 0x5ec4e7;

ApplicationRecording recorded(bool with_data) {
  ReadyApplication app(0, {.range = {}, .with_data = with_data});
  for (std::uint32_t i = 0; i < 12; ++i) {
    app.launch(10, {device_out, device_in, secret, 0, 0, 0});
    app.launch(11, {device_out, 1234567, i, 0, 0, device_in});
    app.synchronize();
  }
  return app.recorder.recording();
}

BOOST_AUTO_TEST_CASE(constant_numbers_are_recorded_on_request) {
  const ApplicationRecording recording = recorded(true);
  BOOST_TEST_REQUIRE(recording.calls.size() == 3u);
  // No pointers, no changing values, and no structure of 16 bytes.
  const std::vector<RecordedValue> wanted{{0, 2, secret}, {1, 1, 1234567}};
  BOOST_TEST_REQUIRE(recording.data.has_value());
  BOOST_TEST((recording.data->values == wanted));
  const std::string text = recording_to_json(recording);
  BOOST_TEST((recording_from_json(text).data == recording.data));
}

BOOST_AUTO_TEST_CASE(without_a_request_no_value_is_in_the_file) {
  const ApplicationRecording recording = recorded(false);
  BOOST_TEST(!recording.data);
  const std::string text = recording_to_json(recording);
  for (const std::uint64_t value : {std::uint64_t{secret}, std::uint64_t{1234567}, device_in}) {
    BOOST_TEST(text.find(std::to_string(value)) == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(values_of_nothing_are_refused) {
  const auto with = [](std::vector<RecordedValue> values) {
    ApplicationRecording recording = recorded(true);
    recording.data->values = std::move(values);
    const std::string text = recording_to_json(recording);
    return refusal<std::invalid_argument>([&] { recording_from_json(text); });
  };
  BOOST_TEST(with({}) == "(not refused)");
  BOOST_TEST(with({{3, 0, 1}}) ==
             "recording file: .data.values[0].call is 3, and there are 3 calls");
  BOOST_TEST(with({{2, 0, 1}}) == "recording file: .data.values[0].call is not that of a kernel");
  BOOST_TEST(with({{0, 4, 1}}) ==
             "recording file: .data.values[0].parameter is 4, and there are 4 parameters");
  BOOST_TEST(with({{0, 0, 1}}) == "recording file: .data.values[0].parameter is a pointer");
  BOOST_TEST(with({{0, 2, 1ull << 32}}) ==
             "recording file: .data.values[0].bits is 4294967296, and the parameter has 4 bytes");
  BOOST_TEST(with({{0, 2, 1}, {0, 2, 1}}) ==
             "recording file: .data.values[1].call is not behind the entry before it");
  BOOST_TEST(with({{0, 3, 1}}).find("parameter has 16 bytes") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
