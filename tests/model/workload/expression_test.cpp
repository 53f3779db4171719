// Expressions: their values, their refusals, and that nothing else happens.
#include "common/model/workload/pipeline/expression.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(expression)

const std::vector<NamedValue> names{{"n", 1000}, {"width", 64}, {"zero", 0}, {"rows_2", 15}};

std::string refused(const std::string& expression) {
  return refusal<UsageError>([&] { value_of(expression, names); });
}

BOOST_AUTO_TEST_CASE(expressions_have_the_values_that_their_signs_say) {
  const std::vector<std::pair<const char*, std::uint64_t>> values{
      {"0", 0},
      {"18446744073709551615", UINT64_MAX},
      {"n", 1000},
      {"  n/width ", 15},
      {"n % width", 40},
      {"2 + 3 * 4", 14},
      {"(2 + 3) * 4", 20},
      {"100 - 10 - 1", 89},
      {"100 / 10 / 2", 5},
      {"100 / 10 * 2", 20},
      {"7 % 4 % 2", 1},
      {"ceil(n / 256)", 4},
      {"ceil(n/250)", 4},
      {"ceil(2 * n / 3)", 667},
      {"ceil((n + 1) / (width / 2))", 32},
      {"ceil(18446744073709551615 / 2)", std::uint64_t{1} << 63},
      {"ceil(zero / 4)", 0},
      {"min(n, width)", 64},
      {"max(n, width) + 1", 1001},
      {"max(min(4, 2), ceil(5 / 2))", 3},
      {"4K", 4096},
      {"3M", 3 << 20},
      {"2G", std::uint64_t{2} << 30},
      {"rows_2 * 2", 30},
      {"((((n))))", 1000},
  };
  for (const auto& [expression, value] : values) {
    BOOST_TEST(value_of(expression, names) == value, expression);
  }
}

BOOST_AUTO_TEST_CASE(a_refusal_shows_the_expression_its_values_and_the_way_out) {
  const std::string parts =
      ", which does not fit there; expressions have whole numbers, names, + - * / % ( ), ceil(a / "
      "b), min(a, b) and max(a, b)";
  const std::string divisor = "; divide by 1 or more, for instance max(a, 1)";
  const std::string beyond = "; use smaller numbers, or divide before you multiply";
  const std::string ceil =
      "has ceil without exactly one division; write ceil(a / b), with parentheses around a and b "
      "if they are sums or have divisions";
  const std::string digits =
      ", which is not a number; write digits, with K, M or G for powers of 1024";
  const std::string order = ", which is not a size; sizes stand in \"sizes\", before they are used";
  const std::vector<std::pair<std::string, std::string>> refusals{
      {"", "is empty; write a number or an expression such as \"n / 256\""},
      {"n / zero", "divides by zero with n = 1000, zero = 0" + divisor},
      {"n % (width - 64)", "divides by zero with n = 1000, width = 64" + divisor},
      {"ceil(n / zero)", "divides by zero with n = 1000, zero = 0" + divisor},
      {"width - n",
       "is below zero with width = 64, n = 1000; sizes cannot be: subtract less, for instance "
       "max(a, b) - b"},
      {"n * 18446744073709552", "is beyond 2^64 - 1 with n = 1000" + beyond},
      {"18446744073709551615 + 1", "is beyond 2^64 - 1" + beyond},
      {"18446744073709551616", "is beyond 2^64 - 1" + beyond},
      {"18446744073709551615 * 2 / 2", "is beyond 2^64 - 1" + beyond},
      {"17179869184G", "is beyond 2^64 - 1" + beyond},
      {"widht * 2", "has \"widht\", which is not a size; did you mean \"width\"?"},
      {"N", "has \"N\", which is not a size; write n for the items of a chunk"},
      {"other_name", "has \"other_name\"" + order},
      {"K", "has \"K\"" + order},
      {"floor(n / 2)",
       "has \"floor\", which is not a function; functions are ceil(a / b), min(a, b) and max(a, "
       "b), and / rounds down"},
      {"ceil(n)", ceil},
      {"ceil(n / 4 / 2)", ceil},
      {"ceil(n / 4 + 2)", ceil},
      {"ceil(n + 4 / 2)", ceil},
      {"min(n)", "has min without two values; write min(a, b)"},
      {"max(1, 2, 3)", "has max with more than two values; write max(a, max(b, c))"},
      {"n * 0.5", "has a fraction; write whole numbers, and a division for a part: n / 2"},
      {"1e6", "has \"1e6\"" + digits},
      {"4KiB", "has \"4KiB\"" + digits},
      {"-1", "has a \"-\" without a value before it; values are never below zero"},
      {"n /", "ends where a number or a name must follow"},
      {"(n", "ends without \")\""},
      {"n)", "has \")\" in column 2" + parts},
      {"n width", "has \"width\" in column 3" + parts},
      {"n $ 2", "has \"$\" in column 3" + parts},
      {"n << 2", "has \"<\" in column 3" + parts},
      {"$(reboot)", "has \"$\" in column 1" + parts},
      {"n\t", "has \"\\x09\" in column 2" + parts},
      {"\xc3\xa4", "has \"\xc3\xa4\" in column 1" + parts},
  };
  for (const auto& [expression, message] : refusals) {
    BOOST_TEST(refused(expression) == as_written(expression) + " " + message);
  }
}

BOOST_AUTO_TEST_CASE(length_and_levels_are_limited) {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '(') + "n" +
           std::string(static_cast<std::size_t>(levels), ')');
  };
  BOOST_TEST(value_of(nested(64), names) == 1000u);
  BOOST_TEST(contains(refused(nested(65)), "has more than 64 levels of parentheses; name parts"));
  BOOST_TEST(value_of("1" + std::string(999, ' '), names) == 1u);
  BOOST_TEST(
      contains(refused("1" + std::string(1000, ' ')), "has 1001 bytes and may have at most"));
  std::string wide = "(1)";  // closed levels do not count
  for (int i = 0; i < 100; ++i) wide += "+(1)";
  BOOST_TEST(value_of(wide, names) == 101u);
  BOOST_TEST(contains(refused(std::string("n\0", 2)), "column 2"));
}

BOOST_AUTO_TEST_CASE(a_size_has_a_name_that_expressions_can_use) {
  for (const char* name : {"width", "_", "a1", "N", "ceiling", "K"}) BOOST_TEST(is_size_name(name));
  for (const char* name : {"", "n", "ceil", "min", "max", "1a", "a-b", "a b", "\xc3\xa4"}) {
    BOOST_TEST(!is_size_name(name), name);
  }
  BOOST_TEST(is_size_name(std::string(64, 'a')));
  BOOST_TEST(!is_size_name(std::string(65, 'a')));
}

namespace {

__extension__ using Wide = unsigned __int128;

/// A generated expression with its value, computed separately in 128 bits; absent if it has none.
struct Tree {
  std::string text;
  std::optional<Wide> value;
};

class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  Tree tree(int levels) {
    if (levels == 0 || below(6) == 0) return leaf();
    const Tree a = tree(levels - 1), b = tree(levels - 1);
    const std::string one = "(" + a.text + ")", other = "(" + b.text + ")";
    switch (below(8)) {
      case 0: return {one + "+" + other, both(a, b, [](Wide x, Wide y) { return x + y; })};
      case 1: return {one + " * " + other, both(a, b, [](Wide x, Wide y) { return x * y; })};
      case 2: {
        const bool below_zero = a.value && b.value && *a.value < *b.value;
        return {one + " - " + other,
                below_zero ? std::nullopt : both(a, b, [](Wide x, Wide y) { return x - y; })};
      }
      case 3: return {one + "/ " + other, divided(a, b, [](Wide x, Wide y) { return x / y; })};
      case 4: return {one + " %" + other, divided(a, b, [](Wide x, Wide y) { return x % y; })};
      case 5:
        return {"ceil(" + one + " / " + other + ")",
                divided(a, b, [](Wide x, Wide y) { return (x + y - 1) / y; })};
      case 6:
        return {"min(" + a.text + "," + b.text + ")",
                both(a, b, [](Wide x, Wide y) { return x < y ? x : y; })};
      default:
        return {"max(" + a.text + ", " + b.text + " )",
                both(a, b, [](Wide x, Wide y) { return x > y ? x : y; })};
    }
  }

  /// Returns a sum of products without parentheses, to test precedence and associativity.
  Tree flat() {
    std::string text;
    Wide sum = 0;
    for (std::uint32_t terms = 1 + below(5); terms > 0; --terms) {
      Wide product = 1 + below(1000);
      if (!text.empty()) text += " + ";
      text += std::to_string(static_cast<std::uint64_t>(product));
      for (std::uint32_t factors = below(4); factors > 0; --factors) {
        const std::uint32_t by = 1 + below(50);
        switch (below(3)) {
          case 0: product *= by, text += "*"; break;
          case 1: product /= by, text += "/"; break;
          default: product %= by, text += "%"; break;
        }
        text += std::to_string(by);
      }
      sum += product;
    }
    return {text, sum};
  }

  std::uint32_t below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }

 private:
  static bool fits(Wide value) { return value <= UINT64_MAX; }

  template <typename Act>
  static std::optional<Wide> both(const Tree& a, const Tree& b, Act act) {
    if (!a.value || !b.value || !fits(act(*a.value, *b.value))) return std::nullopt;
    return act(*a.value, *b.value);
  }

  template <typename Act>
  static std::optional<Wide> divided(const Tree& a, const Tree& b, Act act) {
    return b.value && *b.value == 0 ? std::nullopt : both(a, b, act);
  }

  Tree leaf() {
    const NamedValue& name = names[below(static_cast<std::uint32_t>(names.size()))];
    if (below(2) == 0) return {name.name, name.value};
    const std::uint64_t value = std::uint64_t{below(UINT32_MAX)} >> below(32);
    switch (below(4)) {
      case 0: return {std::to_string(value) + "K", Wide{value} << 10};
      case 1: return {std::to_string(value << 32), Wide{value} << 32};
      default: return {std::to_string(value), value};
    }
  }

  std::mt19937 random_;
};

std::optional<Wide> found_value(const std::string& text) try {
  return value_of(text, names);
} catch (const UsageError&) {
  return std::nullopt;
}

}  // namespace

BOOST_AUTO_TEST_CASE(generated_expressions_have_the_values_of_a_second_evaluation) {
  Generator generator(16);
  int with_value = 0, without = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Tree tree = i % 2 == 0 ? generator.tree(1 + i % 4) : generator.flat();
    if (tree.text.size() > most_expression_bytes) continue;
    ++(tree.value ? with_value : without);
    BOOST_REQUIRE_MESSAGE(found_value(tree.text) == tree.value, tree.text);
  }
  BOOST_TEST(with_value > 1000);
  BOOST_TEST(without > 1000);
}

BOOST_AUTO_TEST_CASE(changed_expressions_have_a_value_or_are_refused_in_one_line) {
  Generator generator(17);
  const std::string alphabet = "n()+-*/%,. 019KMGceilminmaxwidth_\t$\"\\\xc3";
  int refusals = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string text = generator.tree(i % 3).text;
    for (std::uint32_t changes = 1 + generator.below(4); changes > 0; --changes) {
      const char c = alphabet[generator.below(static_cast<std::uint32_t>(alphabet.size()))];
      const std::size_t place = generator.below(static_cast<std::uint32_t>(text.size() + 1));
      if (generator.below(3) == 0 && place < text.size()) {
        text.erase(place, 1);
      } else {
        text.insert(place, 1, c);
      }
    }
    try {
      value_of(text, names);
    } catch (const UsageError& error) {
      const std::string message = error.what();
      BOOST_REQUIRE_MESSAGE(printable(message, 10'000) == message, message);
      BOOST_REQUIRE(message.starts_with(as_written(text)));
      ++refusals;
    }
  }
  BOOST_TEST(refusals > 10'000);
  BOOST_TEST(refusals < 100'000);
}

BOOST_AUTO_TEST_SUITE_END()
