// Good pipeline files: what is read, and that nothing else is changed.
#include "common/model/workload/file/pipeline_file.hpp"

#include "tests/base/folder.hpp"
#include "tests/model/workload/file/bad_files.hpp"

BOOST_AUTO_TEST_SUITE(pipeline_file)

PipelineFile good_with(const std::string& part, const std::string& replacement) {
  return pipeline_in(good_file_with(part, replacement), "blur.json");
}

BOOST_AUTO_TEST_CASE(a_file_is_read_as_it_states) {
  const PipelineFile file = pipeline_in(good_file, "dir/blur.json");
  const Pipeline& pipeline = file.pipeline;
  BOOST_TEST(file.name == "blur");
  BOOST_TEST(file.lanes.value() == 4u);
  BOOST_TEST((file.order == Order::depth_first));
  BOOST_TEST(pipeline.file == "dir/blur.json");
  BOOST_TEST(pipeline.chunks == 32u);
  BOOST_TEST(pipeline.items == 4096u);
  BOOST_TEST(pipeline.last_items == 100u);
  BOOST_TEST(
      (pipeline.sizes == std::vector<NamedSize>{{"width", "64"}, {"rows", "ceil(n / width)"}}));
  BOOST_REQUIRE(pipeline.buffers.size() == 3u);
  BufferSpec result;
  result.name = "result", result.element = Element::float32, result.count = "rows";
  result.check = Check::tolerance, result.tolerance = 1e-6;
  BOOST_TEST((pipeline.buffers[2] == result));
  BOOST_TEST((pipeline.buffers[1].element == Element::uint8));
  BOOST_TEST(pipeline.stages.size() == 5u);
  BOOST_TEST((pipeline.stages[1].stage == Stage::clear));
  BOOST_TEST(pipeline.stages[1].buffer == 2u);
  BOOST_TEST(pipeline.stages[1].value == 7u);
  BOOST_TEST(pipeline.stages[3].kernel == 1u);
  BOOST_TEST(!pipeline.stages[3].states_order);
}

BOOST_AUTO_TEST_CASE(kernels_are_read_as_the_file_states) {
  const Pipeline pipeline = pipeline_in(good_file, "blur.json").pipeline;
  BOOST_REQUIRE(pipeline.kernels.size() == 2u);
  KernelSpec blur;
  blur.name = "blur", blur.file = "blur.cu", blur.grid = {"rows", "1"}, blur.block = {"64"};
  blur.arguments.resize(4);
  blur.arguments[0].kind = ArgumentKind::in;
  blur.arguments[1].kind = ArgumentKind::out, blur.arguments[1].buffer = 1;
  blur.arguments[2].kind = ArgumentKind::size, blur.arguments[2].expression = "width";
  blur.arguments[2].element = Element::int32;
  blur.arguments[3].value = 0.5, blur.arguments[3].element = Element::float32;
  BOOST_TEST((pipeline.kernels[0] == blur));
  BOOST_TEST((pipeline.kernels[1].arguments[1].kind == ArgumentKind::inout));
  BOOST_TEST((pipeline.kernels[1].arguments[2].kind == ArgumentKind::chunk_offset));
  BOOST_TEST((pipeline.kernels[1].arguments[2].element == Element::uint64));
  BOOST_REQUIRE(pipeline.fused.has_value());
  BOOST_TEST(pipeline.fused->name == "all");
}

BOOST_AUTO_TEST_CASE(stages_have_names_of_their_own) {
  const auto names = [](const Pipeline& pipeline) {
    std::vector<std::string> all;
    for (const StageSpec& stage : pipeline.stages) all.push_back(stage.name);
    return all;
  };
  BOOST_TEST(names(pipeline_in(good_file, "a.json").pipeline) ==
             (std::vector<std::string>{"copy in image", "memset result", "blur", "sum",
                                       "copy out result"}));
  BOOST_TEST(names(good_with(R"("kernel": "sum")", R"("kernel": "blur")").pipeline)[3] == "blur 2");
  // An earlier stage's default never takes a name that the file gives.
  const std::string named =
      R"("kernel": "sum", "name": "blur", "after": ["blur 2", "memset result"])";
  const Pipeline pipeline = good_with(R"("kernel": "sum")", named).pipeline;
  BOOST_TEST(names(pipeline)[2] == "blur 2");
  BOOST_TEST(pipeline.stages[3].states_order);
  BOOST_TEST(pipeline.stages[3].after == (std::vector<std::uint32_t>{2, 1}));
}

BOOST_AUTO_TEST_CASE(a_kernel_that_waits_by_itself_says_so) {
  const auto early = [](const std::string& truth) {
    return good_with(R"("kernel": "sum")", R"("early": )" + truth + R"(, "kernel": "sum")")
        .pipeline.kernels[1]
        .early;
  };
  BOOST_TEST(early("true"));
  BOOST_TEST(!early("false"));
  BOOST_TEST(!pipeline_in(good_file, "dir/blur.json").pipeline.kernels[1].early);
}

BOOST_AUTO_TEST_CASE(what_may_be_left_out_has_its_default) {
  const std::string least =
      R"({"chunks": 1, "items": 1, "buffers": {"a": {"type": "half", "count": 1}},
    "stages": [{"memset": "a"}, {"copy out": "a"}]})";
  const PipelineFile file = pipeline_in(least, "/x/y\x1b z.json");
  BOOST_TEST(file.name == "y\\x1b z");
  BOOST_TEST(!file.lanes);
  BOOST_TEST(!file.order);
  BOOST_TEST(file.pipeline.last_items == 1u);
  BOOST_TEST(!file.pipeline.fused);
  BOOST_TEST((file.pipeline.buffers[0].check == Check::exact));
}

BOOST_AUTO_TEST_CASE(constants_keep_their_bits) {
  const auto constant = [](const std::string& value, const std::string& type) {
    return good_with(R"({"value": 0.5, "type": "float"})",
                     R"({"value": )" + value + R"(, "type": ")" + type + "\"}")
        .pipeline.kernels[0]
        .arguments[3];
  };
  BOOST_TEST(static_cast<std::uint64_t>(constant("18446744073709551615", "uint64").whole) ==
             UINT64_MAX);
  BOOST_TEST(constant("-9223372036854775808", "int64").whole == INT64_MIN);
  BOOST_TEST(constant("9223372036854775807", "int64").whole == INT64_MAX);
  BOOST_TEST(constant("-128", "int8").whole == -128);
  BOOST_TEST(constant("3.0", "uint8").whole == 3);
  BOOST_TEST(constant("1e6", "int32").whole == 1'000'000);
  BOOST_TEST(constant("3.4028235e38", "float").value == 3.4028235e38);
  BOOST_TEST(constant("-65504", "half").value == -65504);
  BOOST_TEST(constant("7", "double").value == 7);
}

BOOST_AUTO_TEST_CASE(buffers_have_fills_and_checks) {
  const std::string image = R"("image": {"type": "float", "count": "n"})";
  const auto filled = [&](const std::string& fill) {
    return good_with(image, R"("image": {"type": "float", "count": "n", "fill": )" + fill + "}")
        .pipeline.buffers[0];
  };
  BOOST_TEST((filled(R"("random")").fill == Fill::random));
  BOOST_TEST(filled(R"({"pattern": [1, -2.5]})").pattern == (std::vector<double>{1, -2.5}));
  BOOST_TEST(filled(R"({"file": "~/$HOME/in.raw"})").fill_file == "~/$HOME/in.raw");
  const BufferSpec checked =
      good_with(R"("tolerance": 1e-6)", R"("reference": "/data/out.raw")").pipeline.buffers[2];
  BOOST_TEST((checked.check == Check::exact));
  BOOST_TEST(checked.reference == "/data/out.raw");
  BOOST_TEST((good_with(R"("tolerance": 1e-6)", R"("check": "none")").pipeline.buffers[2].check ==
              Check::none));
}

BOOST_AUTO_TEST_CASE(limits_of_counts_are_named) {
  std::string arguments = R"({"size": 1})";
  for (int i = 0; i < 22; ++i) arguments += R"(, {"size": 1})";
  const std::string offset = R"({"chunk": "offset"})";
  BOOST_TEST(refusal_of(good_file_with(offset, arguments)) ==
             "dir/blur.json:24: stage 4: \"arguments\" has 25 arguments and may have at most 24; "
             "pass values in a buffer");
  const std::string memset = R"({"memset": "result", "value": 7})";
  std::string stages = memset;
  for (int i = 0; i < 59; ++i) stages += ", " + memset;
  BOOST_TEST(pipeline_in(good_file_with(memset, stages), "a.json").pipeline.stages.size() == 64u);
  BOOST_TEST(refusal_of(good_file_with(memset, stages + ", " + memset)) ==
             "dir/blur.json:13: \"stages\" has 65 stages and may have at most 64; merge kernels");
  std::string many = good_file_with(memset, stages);
  many.replace(many.find("32"), 2, "200000");
  BOOST_TEST(
      refusal_of(many) ==
      "dir/blur.json:2: 200000 chunks of 64 stages have more than 10000000 stages in all; use "
      "fewer, larger chunks");
  std::string buffers = R"("image": {"type": "float", "count": "n"})";
  const std::string image = buffers;
  for (int i = 0; i < 14; ++i) {
    buffers += ", \"b" + std::to_string(i) + R"(": {"type": "float", "count": "n"})";
  }
  BOOST_TEST(contains(refusal_of(good_file_with(image, buffers)),
                      "dir/blur.json:8: \"buffers\" has 17 buffers and may have at most 16"));
}

BOOST_AUTO_TEST_CASE(lines_are_right_behind_any_string) {
  for (const char* name : {R"(a\"{[,b)", R"(\\)", R"(\u0022\\\"])"}) {
    std::string text =
        good_file_with(R"("order": "depth")", "\"name\": \"" + std::string(name) + '"');
    BOOST_TEST(pipeline_in(text, "a.json").name.size() > 0u);
    text.replace(text.find(R"("copy in": "image")"), 18, "\r\n\"copy in\"\n:\n0");
    BOOST_TEST(refusal_of(text) ==
               "dir/blur.json:17: stage 1: 0 is not a buffer; write its name in quotes");
  }
}

BOOST_AUTO_TEST_CASE(fused_is_an_object) {
  const std::size_t fused = good_file.find("\"fused\": ") + 9;
  BOOST_TEST(
      refusal_of(good_file.substr(0, fused) + "true\n}") ==
      "dir/blur.json:27: fused: \"fused\" is an object, not true; write {\"kernel\": "
      "\"blur_all\", \"file\": \"blur.cu\", \"grid\": 1, \"block\": 256, \"arguments\": []}");
}

BOOST_AUTO_TEST_CASE(the_example_is_a_good_file) {
  const PipelineFile file = pipeline_in(example_pipeline(), "example.json");
  BOOST_TEST(file.name == "blur");
  BOOST_TEST(file.pipeline.kernels.size() == 2u);
}

BOOST_AUTO_TEST_CASE(paths_are_relative_to_the_file) {
  Pipeline pipeline;
  pipeline.file = "dir/blur.json";
  BOOST_TEST(path_beside(pipeline, "blur.cu") == "dir/blur.cu");
  BOOST_TEST(path_beside(pipeline, "../~/$x.cu") == "dir/../~/$x.cu");
  BOOST_TEST(path_beside(pipeline, "/data/blur.cu") == "/data/blur.cu");
  pipeline.file = "blur.json";
  BOOST_TEST(path_beside(pipeline, "blur.cu") == "blur.cu");
}

BOOST_FIXTURE_TEST_CASE(only_regular_files_up_to_a_size_are_read, Folder) {
  const auto refused = [&](const std::string& name) {
    return refusal<UsageError>([&] { read_pipeline(*this / name); });
  };
  const std::string hint = "; `trilane pipeline example` prints a pipeline file";
  put("good.json", good_file);
  BOOST_TEST(read_pipeline(*this / "good.json").name == "good");
  BOOST_TEST(refused("missing.json") == "'" + (*this / "missing.json") +
                                            "' cannot be read (No such file or directory)" + hint);
  BOOST_TEST(contains(refused("."), "cannot be read (Is a directory)"));
  put("large.json", std::string(most_pipeline_bytes, ' ') + good_file);
  BOOST_TEST(contains(refused("large.json"), "(it is larger than 1 MiB)" + hint));
}

BOOST_AUTO_TEST_SUITE_END()
