// The parser of expressions: the formulas of good ones, and the columns that it names in bad ones.
#include "host/function/formula.hpp"
#include "host/number/random.hpp"
#include "unit/contains.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

namespace tmd::function {

namespace {

using Kind = Operation::Kind;

// The formula with every parenthesis: "(x+(3*x))".
std::string shown(const Formula& formula, std::size_t place) {
  const Operation& one = formula.operations[place];
  const auto both = [&](const char* sign) {
    return "(" + shown(formula, one.left) + sign + shown(formula, one.right) + ")";
  };
  switch (one.kind) {
  case Kind::argument:
    return "x";
  case Kind::second:
    return "y";
  case Kind::number:
    return one.text;
  case Kind::pi:
    return "pi";
  case Kind::e:
    return "e";
  case Kind::negate:
    return "(-" + shown(formula, one.left) + ")";
  case Kind::add:
    return both("+");
  case Kind::subtract:
    return both("-");
  case Kind::multiply:
    return both("*");
  case Kind::divide:
    return both("/");
  case Kind::power:
    return "(" + shown(formula, one.left) + "^" + std::to_string(one.exponent) + ")";
  case Kind::apply:
    return one.function->name + "(" + shown(formula, one.left) + ")";
  }
  return {};
}

std::string shown(std::string_view text) {
  const Formula formula = parse_formula(text);
  return shown(formula, formula.operations.size() - 1);
}

std::string refused(std::string_view text) {
  return message_of([&] { (void)parse_formula(text); });
}

// The value as "numerator/denominator".
std::string number(std::string_view text) {
  const Formula formula = parse_formula(std::string(text) + "*x");
  const Operation& one = formula.operations.front();
  const auto decimal = [](const number::Integer& integer) {
    char* digits = fmpz_get_str(nullptr, 10, integer);
    std::string result = digits;
    flint_free(digits);
    return result;
  };
  CHECK(one.kind == Kind::number);
  return decimal(one.numerator) + "/" + decimal(one.denominator);
}

} // namespace

TEST_CASE("formulas: operators bind as in mathematics") {
  CHECK(shown("x") == "x");
  CHECK(shown("x+2*x") == "(x+(2*x))");
  CHECK(shown("x-2-3") == "((x-2)-3)");
  CHECK(shown("x/2/3*4") == "(((x/2)/3)*4)");
  CHECK(shown("-x^2") == "(-(x^2))");
  CHECK(shown("--+x") == "x");
  CHECK(shown("-x*-2") == "((-x)*(-2))");
  CHECK(shown("2*x^-3") == "(2*(x^-3))");
  CHECK(shown("x^(-3)+1") == "((x^-3)+1)");
  CHECK(shown("((x+1)^2)^1") == "(((x+1)^2)^1)");
  CHECK(shown("log(1+exp(-x))/(x-pi)*e") == "((log1pexp((-x))/(x-pi))*e)");
  CHECK(shown(" exp ( x ) \t- 1 ") == "(exp(x)-1)");
  CHECK(parse_formula(" exp ( x ) \t- 1 ").text == "exp(x)-1");
}

TEST_CASE("formulas: numbers are what is written, exactly") {
  CHECK(number("0.1") == "1/10");
  CHECK(number("12.50") == "1250/100");
  CHECK(number(".5e1") == "5/1");
  CHECK(number("3.e2") == "300/1");
  CHECK(number("25E-3") == "25/1000");
  CHECK(number("0x1.8p1") == "24/8");
  CHECK(number("0X.Fp-4") == "15/256");
  CHECK(number("0xff") == "255/1");
  CHECK(shown("2*e+x") == "((2*e)+x)");
  CHECK(shown("0x1e+3*x") == "(0x1e+(3*x))"); // it is a hexadecimal digit, not an exponent
}

TEST_CASE("formulas: what is written twice is done once") {
  CHECK(parse_formula("exp(x)/(1+exp(x))").operations.size() == 5);
  CHECK(parse_formula("x*x").operations.size() == 2);
  CHECK(parse_formula("1.0*x+1*x").operations.size() == 6);
}

TEST_CASE("formulas: log(1 + exp(...)) is one operation") {
  for (const char* text : {"log(1+exp(2*x))", "log(exp(2*x)+1.0)", "log1p(exp(2*x))"}) {
    INFO(text);
    CHECK(shown(text) == "log1pexp((2*x))");
    CHECK(parse_formula(text).operations.size() <= 5);
  }
  CHECK(shown("exp(x)+log(1+exp(x))") == "(exp(x)+log1pexp(x))");
  CHECK(shown("log(1+exp(x))+exp(x)") == "(log1pexp(x)+exp(x))");
  CHECK(shown("log(2+exp(x))") == "log((2+exp(x)))");
  CHECK(shown("log(1-exp(x))") == "log((1-exp(x)))");
  CHECK(shown("log2(1+exp(x))") == "log2((1+exp(x)))");
}

TEST_CASE("formulas: a mistake is pointed at") {
  const std::array<std::array<const char*, 3>, 30> mistakes{{
      {"exp(x", "column 4", "'(' without ')'"},
      {"exp(x))", "column 7", "')' without '('"},
      {"", "column 1", "the expression ends"},
      {"x+", "column 3", "the expression ends where a number, x or a function should follow"},
      {"x*/2", "column 3", "should stand before '/'"},
      {"*x", "column 1", "should stand before '*'"},
      {"2x", "column 2", "an operator (+ - * / ^) is missing"},
      {"x(2)", "column 2", "an operator (+ - * / ^) is missing"},
      {"(x 3)", "column 4", "an operator (+ - * / ^) or ')' is missing"},
      {"x**2", "column 3", "powers are written with ^"},
      {"x^2^3", "column 4", "a power of a power needs parentheses"},
      {"2^x", "column 3", "the exponent must be an integer"},
      {"x^0.5", "column 3", "the exponent must be an integer"},
      {"x^(1/2)", "column 5", "the exponent must be an integer"},
      {"x^", "column 3", "the exponent must be an integer"},
      {"x^1000001", "column 3", "from -1000000 to 1000000"},
      {"x^99999999999999999999", "column 3", "from -1000000 to 1000000"},
      {"expp(x)", "column 1", "unknown function 'expp'"},
      {"expp(x)", "column 1", "did you mean 'exp'?"},
      {"1+y", "column 3", "unknown function 'y'"},
      {"1+exp", "column 6", "'exp' needs an argument in parentheses"},
      {"exp x", "column 5", "'exp' needs an argument in parentheses"},
      {"exp()", "column 5", "should stand before ')'"},
      {"x # 2", "column 3", "an operator"},
      {"x + #", "column 5", "no such character"},
      {"π*x", "column 1", "no such character"},
      {"exp(x)·π+#", "column 7", "an operator"},
      {"1.2.3*x", "column 4", "an operator"},
      {".*x", "column 1", "a number needs digits"},
      {"x+1e99999", "column 3", "exponents of numbers must be -20000 to 20000"},
  }};
  for (const auto& [text, column, sentence] : mistakes) {
    INFO(text);
    const std::string said = refused(text);
    CHECK(said.find("'" + std::string(text) + "', " + column + ": ") == 0);
    CHECK(said.find(sentence) != std::string::npos);
  }
  CHECK(refused("exp(2)*pi") == "'exp(2)*pi' is a constant: write it with the variable x");
  CHECK(refused(std::string(1001, 'x')) == "an expression may have at most 1000 characters, not 1001");
  CHECK(refused(std::string(400, '(') + "x" + std::string(400, ')')).find("column 101: more than 100") !=
        std::string::npos);
  CHECK(shown(std::string(100, '(') + "x" + std::string(100, ')')) == "x");
}

TEST_CASE("formulas: any text is refused in a sentence, or means what its text means") {
  constexpr std::array<std::string_view, 22> pieces{"x",  "exp(", "log(", "sin", "pi",   "e", "(",   ")",
                                                    "+",  "-",    "*",    "/",   "^",    "2", "0.1", ".",
                                                    "0x", "1e",   "-3",   " ",   "\xc3", ":"};
  number::Random random(7);
  int parsed = 0;
  int wrong = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::uint64_t length = random.below(9) + 1; length > 0; --length)
      text += pieces[random.below(pieces.size())];
    try {
      const Formula formula = parse_formula(text);
      wrong += shown(parse_formula(formula.text), formula.operations.size() - 1) !=
               shown(formula, formula.operations.size() - 1);
      ++parsed;
    } catch (const UsageError&) {
    }
  }
  CHECK(wrong == 0);
  CHECK(parsed > 100);
}

TEST_CASE("formulas: names of functions are told from expressions") {
  for (const char* name : {"exp", "rootn:3", "compound:-2", "log10p1", "foo", ""})
    CHECK(is_function_name(name));
  for (const char* text : {"x", "pi", "e", "exp(x)", "2", "rootn:", "rootn:x", "exp ", "-x", "1exp"})
    CHECK(!is_function_name(text));
}

TEST_CASE("formulas: of x and y, with exponents of any form") {
  const auto of_pairs = [](std::string_view text) {
    const Formula formula = parse_pair_formula(text);
    return shown(formula, formula.operations.size() - 1);
  };
  CHECK(of_pairs("x*y + x^2") == "((x*y)+(x^2))");
  CHECK(of_pairs("x^y") == "exp((y*log(x)))");
  CHECK(of_pairs("y*x^(-3)") == "(y*(x^-3))");
  CHECK(of_pairs("y*(x+1)^(y/2)") == "(y*exp(((y/2)*log((x+1)))))");
  const auto refused_pair = [](std::string_view text) { return message_of([&] { (void)parse_pair_formula(text); }); };
  CHECK(refused_pair("x+1") == "'x+1' is no expression of two variables: write it with x and y");
  CHECK(contains(refused_pair("x^y^2"), "a power of a power needs parentheses"));
  CHECK(contains(refused_pair("y x"), "an operator (+ - * / ^) is missing"));
  CHECK(contains(refused("x+y"), "unknown function 'y'"));
}

} // namespace tmd::function
