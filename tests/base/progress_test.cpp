#include "common/base/console/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(progress)

constexpr ProgressStyle lines = {false, false}, bar = {true, false}, coloured = {true, true};
constexpr char erase[] = "\r\x1b[K";

/// A stream whose content can be read back.
class Stream {
 public:
  std::FILE* get() const { return file_.get(); }
  std::string text() const {
    std::fflush(get());
    std::string all(1 << 16, '\0');
    const auto size = pread(fileno(get()), all.data(), all.size(), 0);
    return all.substr(0, size < 0 ? 0 : static_cast<std::size_t>(size));
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{std::tmpfile(), std::fclose};
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Returns what remains visible in the last line.
std::string last_line(const std::string& text) {
  const auto at = text.rfind(erase);
  return at == std::string::npos ? text : text.substr(at + sizeof(erase) - 1);
}

BOOST_AUTO_TEST_CASE(without_a_terminal_each_preset_is_a_line_at_its_end) {
  const Stream stream;
  {
    Progress progress(stream.get(), 2, lines);
    progress.start("launch");
    progress.phase("checked");
    progress.advance(1, 8);
    progress.done("graph wins");
    progress.start("transfer");
    progress.done("tie");
  }
  BOOST_TEST(stream.text() == "[1/2] launch: graph wins\n[2/2] transfer: tie\n");
}

BOOST_AUTO_TEST_CASE(on_a_terminal_one_line_is_redrawn) {
  const Stream stream;
  Progress progress(stream.get(), 6, bar);
  progress.start("launch");
  progress.phase("measuring");
  BOOST_TEST(count(stream.text(), "\n") == 0u);
  BOOST_TEST(last_line(stream.text()) == "[1/6] launch: measuring");
  progress.done("done");
  BOOST_TEST(stream.text().ends_with(erase));
}

BOOST_AUTO_TEST_CASE(the_bar_fills) {
  const Stream stream;
  Progress progress(stream.get(), 6, bar);
  progress.start("transfer");
  usleep(110'000);
  progress.advance(2, 8);
  const std::string line = last_line(stream.text());
  BOOST_TEST(line.ends_with(" ######------------------ 2.0/8.0 s"));
  BOOST_TEST(line.size() < 80u);
  usleep(110'000);
  progress.advance(9, 8);  // over the limit: full, no more
  BOOST_TEST(last_line(stream.text()).ends_with(" ######################## 9.0/8.0 s"));
}

BOOST_AUTO_TEST_CASE(it_is_redrawn_every_100_ms_at_most) {
  const Stream stream;
  Progress progress(stream.get(), 1, bar);
  const auto begin = std::chrono::steady_clock::now();
  progress.start("launch");
  while (count(stream.text(), erase) < 3) progress.advance(1, 2);
  const auto elapsed = std::chrono::steady_clock::now() - begin;
  BOOST_TEST((elapsed >= std::chrono::milliseconds(200)));
}

BOOST_AUTO_TEST_CASE(a_line_never_wraps) {
  const Stream stream;
  Progress progress(stream.get(), 1, bar);
  progress.start(std::string(200, 'x'));
  BOOST_TEST(last_line(stream.text()).size() == 79u);
}

BOOST_AUTO_TEST_CASE(clear_takes_the_line_away_once) {
  const Stream stream;
  {
    Progress progress(stream.get(), 1, bar);
    progress.clear();
    BOOST_TEST(stream.text().empty());
    progress.start("launch");
    progress.clear();
    BOOST_TEST(stream.text().ends_with(erase));
    progress.clear();
  }
  BOOST_TEST(count(stream.text(), erase) == 2u);  // one before the line, one after
}

BOOST_AUTO_TEST_CASE(the_end_takes_the_line_away) {
  const Stream stream;
  { Progress(stream.get(), 1, bar).start("launch"); }
  BOOST_TEST(stream.text().ends_with(erase));
}

BOOST_AUTO_TEST_CASE(colour_only_where_asked_for) {
  const Stream plain, colourful;
  Progress(plain.get(), 1, bar).start("launch");
  Progress(colourful.get(), 1, coloured).start("launch");
  BOOST_TEST(count(plain.text(), "m") == 0u);  // every colour sequence ends in m
  BOOST_TEST(count(colourful.text(), "\x1b[36m") == 1u);
  BOOST_TEST(count(colourful.text(), "\x1b[0m") == 1u);
}

BOOST_AUTO_TEST_CASE(the_style_follows_the_terminal_and_no_color) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  BOOST_REQUIRE(master >= 0);
  BOOST_REQUIRE(grantpt(master) == 0);
  BOOST_REQUIRE(unlockpt(master) == 0);
  std::FILE* const terminal = std::fopen(ptsname(master), "w");
  BOOST_REQUIRE(terminal != nullptr);
  const auto style = [&](const char* no_color, const char* term) {
    if (no_color) {
      setenv("NO_COLOR", no_color, 1);
    } else {
      unsetenv("NO_COLOR");
    }
    setenv("TERM", term, 1);
    return style_for(terminal);
  };
  BOOST_TEST((style(nullptr, "xterm").terminal && style(nullptr, "xterm").colour));
  BOOST_TEST((style("", "xterm").terminal && style("", "xterm").colour));
  BOOST_TEST((style("1", "xterm").terminal && !style("1", "xterm").colour));
  BOOST_TEST((!style(nullptr, "dumb").terminal && !style(nullptr, "dumb").colour));
  std::fclose(terminal);
  close(master);
  const Stream file;
  setenv("TERM", "xterm", 1);
  BOOST_TEST((!style_for(file.get()).terminal && !style_for(file.get()).colour));
}

BOOST_AUTO_TEST_CASE(a_full_pipe_is_not_waited_for) {
  int ends[2];
  BOOST_REQUIRE(pipe(ends) == 0);
  std::FILE* const full = fdopen(ends[1], "w");
  const std::string block(4096, 'x');
  const int flags = fcntl(ends[1], F_GETFL);
  fcntl(ends[1], F_SETFL, flags | O_NONBLOCK);
  while (write(ends[1], block.data(), block.size()) > 0) continue;
  fcntl(ends[1], F_SETFL, flags);
  alarm(60);  // a blocked write ends the tests here
  Progress(full, 1, lines).start("launch");
  alarm(0);
  close(ends[0]);
  std::fclose(full);
  BOOST_TEST(true);
}

BOOST_AUTO_TEST_SUITE_END()
