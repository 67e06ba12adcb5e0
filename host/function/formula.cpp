// A recursive-descent parser of the grammar in formula.hpp: each rule is a member function of Parser, which appends its
// operation to the list and returns the operation's place. Equal operations are stored once. Lexer reads the text.
#include "function/formula.hpp"

#include "function/catalogue.hpp"
#include "function/softplus.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace tmd::function {

namespace {

using Kind = Operation::Kind;

constexpr std::string_view variable = "x";
constexpr std::string_view second_variable = "y";
constexpr std::string_view pi = "pi";
constexpr std::string_view euler = "e";

constexpr std::size_t most_characters = 1000;
constexpr int most_depth = 100;              // of parentheses
constexpr long most_exponent = 1'000'000;    // in absolute value
constexpr long most_number_exponent = 20000; // of 10 or 2, in absolute value; beyond the formats' own

// Independent of the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The length of the name at the front of a text; 0 if there is none.
std::size_t name_length(std::string_view text) {
  if (text.empty() || !is_letter(text.front()))
    return 0;
  std::size_t end = 1;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end])))
    ++end;
  // A member of a family: rootn:3, compound:-2.
  std::size_t digits = end + 1;
  if (digits < text.size() && text[end] == ':' && text[digits] == '-')
    ++digits;
  if (digits >= text.size() || text[end] != ':' || !is_digit(text[digits]))
    return end;
  while (digits < text.size() && is_digit(text[digits]))
    ++digits;
  return digits;
}

bool is_constant(std::string_view name) { return name == pi || name == euler; }

bool same(const Operation& left, const Operation& right) {
  return left.kind == right.kind && left.left == right.left && left.right == right.right &&
         left.exponent == right.exponent && left.function == right.function && left.text == right.text;
}

// Takes an expression's characters, names and numbers one after the other, and finds the column of an error.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  [[nodiscard]] std::size_t place() const { return place_; }

  [[noreturn]] void fail_at(std::size_t place, std::string_view what) const {
    // Columns count characters, not bytes: continuation bytes in UTF-8 are 10xxxxxx.
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    const std::string_view before = text_.substr(0, place);
    const auto column =
        before.size() - static_cast<std::size_t>(std::count_if(before.begin(), before.end(), continues));
    throw UsageError(fmt::format("'{}', column {}: {}", text_, column + 1, what));
  }
  [[noreturn]] void fail(std::string_view what) const { fail_at(place_, what); }

  // The next character that is not blank; 0 at the end.
  char peek() {
    while (place_ < text_.size() && is_blank(text_[place_]))
      ++place_;
    return place_ < text_.size() ? text_[place_] : '\0';
  }
  // Takes the next character if it is one of these.
  std::optional<char> take(std::string_view wanted) {
    const char c = peek();
    if (c == '\0' || wanted.find(c) == std::string_view::npos)
      return std::nullopt;
    ++place_;
    return c;
  }

  // Takes a name, whose first letter comes next.
  std::string_view name() {
    const std::string_view rest = text_.substr(place_);
    const std::string_view name = rest.substr(0, name_length(rest));
    place_ += name.size();
    return name;
  }

  // Takes the exponent of a power: an integer.
  long exponent() {
    const bool negative = take("+-") == '-';
    (void)peek();
    const std::size_t begin = place_;
    while (place_ < text_.size() && is_digit(text_[place_]))
      ++place_;
    const std::string_view digits = text_.substr(begin, place_ - begin);
    const char next = place_ < text_.size() ? text_[place_] : '\0';
    if (digits.empty() || next == '.' || is_letter(next))
      fail_at(begin, "the exponent must be an integer: powers of others are exp(…*log(…))");
    long value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || value > most_exponent)
      fail_at(begin, fmt::format("the exponent must be an integer from -{0} to {0}", most_exponent));
    return negative ? -value : value;
  }

  // Takes a number, as the operation that has its value.
  Operation number() {
    const std::size_t begin = place_;
    const std::string_view rest = text_.substr(begin);
    const bool hex = rest.size() > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X');
    if (hex)
      place_ += 2;
    std::string digits;
    const long behind = take_digits(hex ? is_hex_digit : is_digit, digits);
    if (digits.empty())
      fail_at(begin, "a number needs digits");
    const long written = number_exponent(hex ? "pP" : "eE");
    if (std::labs(written) > most_number_exponent)
      fail_at(begin, fmt::format("exponents of numbers must be -{0} to {0}", most_number_exponent));

    Operation operation;
    operation.kind = Kind::number;
    operation.text = text_.substr(begin, place_ - begin);
    const long exponent = written - (hex ? 4 : 1) * behind;
    number::Integer scale;
    fmpz_set_ui(scale, hex ? 2 : 10);
    fmpz_pow_ui(scale, scale, static_cast<unsigned long>(std::labs(exponent)));
    fmpz_set_str(operation.numerator, digits.c_str(), hex ? 16 : 10);
    fmpz_one(operation.denominator);
    fmpz_mul(exponent < 0 ? operation.denominator : operation.numerator,
             exponent < 0 ? operation.denominator : operation.numerator, scale);
    return operation;
  }

private:
  // Takes digits [. digits]; appends the digits to `digits` and returns how many follow the point.
  long take_digits(bool (*is_wanted)(char), std::string& digits) {
    long behind = 0;
    for (bool point = false; place_ < text_.size(); ++place_) {
      const char c = text_[place_];
      if (c == '.' && !point)
        point = true;
      else if (is_wanted(c))
        digits.push_back(c), behind += point ? 1 : 0;
      else
        break;
    }
    return behind;
  }

  // Takes the exponent of a number, after one of these letters; 0 if there is none.
  long number_exponent(std::string_view letters) {
    std::size_t at = place_ + 1;
    if (place_ >= text_.size() || letters.find(text_[place_]) == std::string_view::npos)
      return 0;
    const bool negative = at < text_.size() && text_[at] == '-';
    if (at < text_.size() && (text_[at] == '-' || text_[at] == '+'))
      ++at;
    if (at >= text_.size() || !is_digit(text_[at]))
      return 0;
    long value = 0;
    for (; at < text_.size() && is_digit(text_[at]); ++at)
      value = std::min(10 * value + (text_[at] - '0'), most_number_exponent + 1);
    place_ = at;
    return negative ? -value : value;
  }

  std::string_view text_;
  std::size_t place_ = 0;
};

// The operand w if the operation computes log(1 + exp(w)).
std::optional<std::size_t> softplus_operand(const std::vector<Operation>& operations, const Operation& logarithm) {
  const auto exponent_at = [&](std::size_t place) -> std::optional<std::size_t> {
    const Operation& one = operations[place];
    return one.kind == Kind::apply && one.function->name == "exp" ? std::optional(one.left) : std::nullopt;
  };
  const auto is_one = [&](std::size_t place) {
    const Operation& one = operations[place];
    return one.kind == Kind::number && fmpz_equal(one.numerator, one.denominator) != 0;
  };
  if (logarithm.function->name == "log1p")
    return exponent_at(logarithm.left);
  const Operation& sum = operations[logarithm.left];
  if (logarithm.function->name != "log" || sum.kind != Kind::add)
    return std::nullopt;
  if (is_one(sum.left))
    return exponent_at(sum.right);
  return is_one(sum.right) ? exponent_at(sum.left) : std::nullopt;
}

class Parser {
public:
  Parser(std::string_view text, bool is_of_pairs) : text_(text), lexer_(text), is_of_pairs_(is_of_pairs) {}

  Formula parse() {
    if (text_.size() > most_characters)
      throw UsageError(
          fmt::format("an expression may have at most {} characters, not {}", most_characters, text_.size()));
    (void)sum();
    if (const char c = lexer_.peek(); c == ')')
      lexer_.fail("')' without '('");
    else if (c != '\0')
      lexer_.fail("an operator (+ - * / ^) is missing");
    if (!has(Kind::argument) && !is_of_pairs_)
      throw UsageError(fmt::format("'{}' is a constant: write it with the variable x", text_));
    if (is_of_pairs_ && !(has(Kind::argument) && has(Kind::second)))
      throw UsageError(fmt::format("'{}' is no expression of two variables: write it with x and y", text_));
    for (const char c : text_)
      if (!is_blank(c))
        result_.text.push_back(c);
    return std::move(result_);
  }

private:
  [[nodiscard]] bool has(Kind kind) const {
    return std::any_of(result_.operations.begin(), result_.operations.end(),
                       [kind](const Operation& operation) { return operation.kind == kind; });
  }

  // The operation's place in the list.
  std::size_t add(Operation operation) {
    auto& operations = result_.operations;
    const auto found = std::find_if(operations.begin(), operations.end(),
                                    [&](const Operation& known) { return same(known, operation); });
    if (found != operations.end())
      return static_cast<std::size_t>(found - operations.begin());
    operations.push_back(std::move(operation));
    return operations.size() - 1;
  }
  std::size_t add(Kind kind, std::size_t left = 0, std::size_t right = 0) {
    Operation operation;
    operation.kind = kind;
    operation.left = left;
    operation.right = right;
    return add(std::move(operation));
  }

  std::size_t sum() {
    std::size_t left = product();
    while (const auto sign = lexer_.take("+-"))
      left = add(*sign == '+' ? Kind::add : Kind::subtract, left, product());
    return left;
  }

  std::size_t product() {
    std::size_t left = factor();
    while (const auto sign = lexer_.take("*/")) {
      if (*sign == '*' && lexer_.peek() == '*')
        lexer_.fail("powers are written with ^");
      left = add(*sign == '*' ? Kind::multiply : Kind::divide, left, factor());
    }
    return left;
  }

  std::size_t factor() {
    bool negative = false;
    while (const auto sign = lexer_.take("+-"))
      negative = negative != (*sign == '-');
    const std::size_t value = power();
    return negative ? add(Kind::negate, value) : value;
  }

  std::size_t power() {
    const std::size_t base = operand();
    if (!lexer_.take("^"))
      return base;
    if (const char next = lexer_.peek(); is_of_pairs_ && (next == '(' || is_letter(next)))
      return general_power(base);
    Operation operation;
    operation.kind = Kind::power;
    operation.left = base;
    const bool in_parentheses = lexer_.take("(").has_value();
    operation.exponent = lexer_.exponent();
    if (in_parentheses && !lexer_.take(")"))
      lexer_.fail("the exponent must be an integer: powers of others are exp(…*log(…))");
    if (lexer_.peek() == '^')
      lexer_.fail("a power of a power needs parentheses");
    return add(std::move(operation));
  }

  // A power whose exponent is an operand: that is removed from the list again if it is an integer.
  std::size_t general_power(std::size_t base) {
    const std::size_t known = result_.operations.size();
    const std::size_t exponent = operand();
    if (lexer_.peek() == '^')
      lexer_.fail("a power of a power needs parentheses");
    if (const std::optional<long> integer = integer_at(exponent)) {
      result_.operations.resize(known);
      Operation operation;
      operation.kind = Kind::power;
      operation.left = base;
      operation.exponent = *integer;
      return add(std::move(operation));
    }
    const auto apply = [&](std::string_view name, std::size_t place) {
      Operation operation;
      operation.kind = Kind::apply;
      operation.function = &find_function(name);
      operation.left = place;
      return add(std::move(operation));
    };
    return apply("exp", add(Kind::multiply, exponent, apply("log", base)));
  }

  // The integer that an operation is, written with or without a sign; nothing if it is another number, or too large.
  [[nodiscard]] std::optional<long> integer_at(std::size_t place) const {
    const Operation* one = &result_.operations[place];
    const bool is_negated = one->kind == Kind::negate;
    if (is_negated)
      one = &result_.operations[one->left];
    if (one->kind != Kind::number || fmpz_is_one(one->denominator) == 0 ||
        fmpz_cmp_si(one->numerator, most_exponent) > 0)
      return std::nullopt;
    const long value = fmpz_get_si(one->numerator);
    return is_negated ? -value : value;
  }

  std::size_t operand() {
    const char c = lexer_.peek();
    if (c == '(')
      return parenthesized();
    if (is_digit(c) || c == '.')
      return add(lexer_.number());
    if (is_letter(c))
      return named();
    if (c == '\0')
      lexer_.fail("the expression ends where a number, x or a function should follow");
    lexer_.fail(std::string_view("+-*/^)").find(c) != std::string_view::npos
                    ? fmt::format("a number, x or a function should stand before '{}'", c)
                    : "no such character in expressions: they are made of numbers, x, functions, + - * / ^ ( )");
  }

  std::size_t parenthesized() {
    const std::size_t begin = lexer_.place();
    (void)lexer_.take("(");
    if (++depth_ > most_depth)
      lexer_.fail_at(begin, fmt::format("more than {} parentheses within each other", most_depth));
    const std::size_t value = sum();
    --depth_;
    if (lexer_.take(")"))
      return value;
    if (lexer_.peek() != '\0')
      lexer_.fail("an operator (+ - * / ^) or ')' is missing");
    lexer_.fail_at(begin, "'(' without ')'");
  }

  std::size_t named() {
    const std::size_t begin = lexer_.place();
    const std::string_view name = lexer_.name();
    const bool applied = lexer_.peek() == '(';
    if (!applied && name == variable)
      return add(Kind::argument);
    if (!applied && is_of_pairs_ && name == second_variable)
      return add(Kind::second);
    if (!applied && is_constant(name))
      return add(name == pi ? Kind::pi : Kind::e);
    if (name == variable || is_constant(name) || (is_of_pairs_ && name == second_variable))
      lexer_.fail("an operator (+ - * / ^) is missing");
    Operation operation;
    operation.kind = Kind::apply;
    try {
      operation.function = &find_function(name);
    } catch (const UsageError& error) {
      lexer_.fail_at(begin, error.what());
    }
    if (!applied)
      lexer_.fail(fmt::format("'{}' needs an argument in parentheses", name));
    const std::size_t known = result_.operations.size();
    operation.left = parenthesized();
    if (const auto operand = softplus_operand(result_.operations, operation)) {
      result_.operations.resize(std::max(known, *operand + 1)); // without what only the logarithm asked for
      operation.function = &softplus();
      operation.left = *operand;
    }
    return add(std::move(operation));
  }

  std::string_view text_;
  Lexer lexer_;
  bool is_of_pairs_;
  int depth_ = 0;
  Formula result_;
};

} // namespace

bool is_function_name(std::string_view text) {
  return text.empty() || (name_length(text) == text.size() && text != variable && !is_constant(text));
}

Formula parse_formula(std::string_view text) { return Parser(text, false).parse(); }

Formula parse_pair_formula(std::string_view text) { return Parser(text, true).parse(); }

} // namespace tmd::function
