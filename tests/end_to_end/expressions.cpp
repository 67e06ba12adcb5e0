// Searches of expressions against plain enumeration, with values by MPFR's own functions at a high precision.
#include "end_to_end/enumeration.hpp"
#include "host/function/expression.hpp"
#include "thorough.hpp"

namespace tmd::test {
namespace {

// Enough bits for the values below, where terms cancel or are as small as exp(−256).
constexpr mpfr_prec_t working_precision = 640;

// Sets y to value(…) in a number of many bits. Returns 0 if the caller knows that it is exact. For the enumeration's
// coarse values, of which it evaluates again what is close, 80 bits more than they have suffice: x - sin(x) loses 51.
template <typename Value> int with_many_bits(mpfr_ptr y, bool exact, const Value& value) {
  number::Mpfr wide(mpfr_get_prec(y) < 160 ? mpfr_get_prec(y) + 80 : working_precision);
  value(static_cast<mpfr_ptr>(wide));
  const int ternary = mpfr_set(y, wide, MPFR_RNDN);
  return exact ? ternary : 1;
}

bool is(mpfr_srcptr x, long value) { return mpfr_cmp_si(x, value) == 0; }

int logistic(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t /*rounding*/) {
  return with_many_bits(y, is(x, 0), [&](mpfr_ptr wide) {
    mpfr_neg(wide, x, MPFR_RNDN);
    mpfr_exp(wide, wide, MPFR_RNDN);
    mpfr_add_ui(wide, wide, 1, MPFR_RNDN);
    mpfr_ui_div(wide, 1, wide, MPFR_RNDN);
  });
}

struct Expression {
  Known known; // the text is its name
  double from; // in binary16; in binary32 only a slice from `slice` on
  double to;
  double slice;
};

const Expression expressions[] = {
    {{"x-sin(x)",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, is(x, 0), [&](mpfr_ptr wide) {
          mpfr_sin(wide, x, MPFR_RNDN);
          mpfr_sub(wide, x, wide, MPFR_RNDN);
        });
      },
      nullptr},
     tries_all ? -65504.0 : -16.0,
     65536,
     0.375},
    {{"sin(x)/x",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, false, [&](mpfr_ptr wide) {
          mpfr_sin(wide, x, MPFR_RNDN);
          mpfr_div(wide, wide, x, MPFR_RNDN); // not a number at 0
        });
      },
      nullptr},
     tries_all ? -65504.0 : -16.0,
     65536,
     2.5},
    {{"(1-cos(x))/x^2",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, false, [&](mpfr_ptr wide) { // 2·(sin(x/2)/x)²; not a number at 0
          mpfr_div_2ui(wide, x, 1, MPFR_RNDN);
          mpfr_sin(wide, wide, MPFR_RNDN);
          mpfr_div(wide, wide, x, MPFR_RNDN);
          mpfr_sqr(wide, wide, MPFR_RNDN);
          mpfr_mul_2ui(wide, wide, 1, MPFR_RNDN);
        });
      },
      nullptr},
     -16,
     65536,
     1.5},
    {{"log(1+exp(x))",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, false, [&](mpfr_ptr wide) {
          mpfr_exp(wide, x, MPFR_RNDN);
          mpfr_log1p(wide, wide, MPFR_RNDN);
        });
      },
      nullptr},
     -16,
     256,
     -1.125},
    {{"exp(-x^2)",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, is(x, 0), [&](mpfr_ptr wide) {
          mpfr_sqr(wide, x, MPFR_RNDN);
          mpfr_neg(wide, wide, MPFR_RNDN);
          mpfr_exp(wide, wide, MPFR_RNDN);
        });
      },
      nullptr},
     -64,
     64,
     0.75},
    {{"x^7",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, true, [&](mpfr_ptr wide) { mpfr_pow_ui(wide, x, 7, MPFR_RNDN); });
      },
      nullptr},
     -65504,
     65536,
     1.5},
    {{"exp(x)/x",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, false, [&](mpfr_ptr wide) {
          mpfr_exp(wide, x, MPFR_RNDN);
          mpfr_div(wide, wide, x, MPFR_RNDN); // infinite at 0
        });
      },
      nullptr},
     -65504,
     65536,
     0.875},
    {{"log(x^2-1)", // without a value on [−1, 1]
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, false, [&](mpfr_ptr wide) {
          mpfr_sqr(wide, x, MPFR_RNDN);
          mpfr_sub_ui(wide, wide, 1, MPFR_RNDN);
          mpfr_log(wide, wide, MPFR_RNDN);
        });
      },
      nullptr},
     -8,
     1024,
     1.25},
    {{"1/(1+exp(-x))", logistic, nullptr}, -256, 256, -0.625},
    {{"0.1*x^3-x/3+pi",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        return with_many_bits(y, false, [&](mpfr_ptr wide) {
          number::Mpfr term(working_precision);
          mpfr_pow_ui(wide, x, 3, MPFR_RNDN);
          mpfr_div_ui(wide, wide, 10, MPFR_RNDN);
          mpfr_div_ui(term, x, 3, MPFR_RNDN);
          mpfr_sub(wide, wide, term, MPFR_RNDN);
          mpfr_const_pi(term, MPFR_RNDN);
          mpfr_add(wide, wide, term, MPFR_RNDN);
        });
      },
      nullptr},
     -65504,
     65536,
     -3.5},
    {{"cbrt(x^2+1)",
      [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
        number::Mpfr square(working_precision);
        mpfr_sqr(square, x, MPFR_RNDN);
        mpfr_add_ui(square, square, 1, MPFR_RNDN);
        return mpfr_cbrt(y, square, MPFR_RNDN);
      },
      nullptr},
     -65504,
     65536,
     1.125},
};

Task make_expression_task(const Expression& one, const function::Function& function, const Range& range, Rounding grid,
                          int bits) {
  Known any = known_exp; // takes the catalogue's entry, to which the expression is equal
  any.estimate = nullptr;
  Task task = make_task(any, range, grid, bits);
  task.function = &function;
  CHECK(function.name == one.known.name);
  return task;
}

// Computes exp(x) with the bits of y and more: MPFR's exponents do not hold all values.
template <typename Rest> int after_exp(mpfr_ptr y, mpfr_srcptr x, bool exact, const Rest& rest) {
  return with_many_bits(y, exact, [&](mpfr_ptr wide) {
    mpfr_exp(wide, x, MPFR_RNDN);
    rest(wide);
  });
}

const Known overflowing[] = {
    {"1/(1+exp(-x))", logistic, nullptr},
    {"exp(x)*2",
     [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
       return after_exp(y, x, is(x, 0), [](mpfr_ptr wide) { mpfr_mul_2ui(wide, wide, 1, MPFR_RNDN); });
     },
     nullptr},
    {"exp(x)*1", [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) { return after_exp(y, x, is(x, 0), [](mpfr_ptr) {}); },
     nullptr},
    {"x*exp(x)",
     [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
       return after_exp(y, x, is(x, 0), [&](mpfr_ptr wide) { mpfr_mul(wide, wide, x, MPFR_RNDN); });
     },
     nullptr},
    {"1/exp(x)",
     [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
       return after_exp(y, x, is(x, 0), [](mpfr_ptr wide) { mpfr_ui_div(wide, 1, wide, MPFR_RNDN); });
     },
     nullptr},
    {"x/(exp(x)-1)",
     [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
       return with_many_bits(y, false, [&](mpfr_ptr wide) {
         mpfr_expm1(wide, x, MPFR_RNDN);
         mpfr_div(wide, x, wide, MPFR_RNDN); // not a number at 0
       });
     },
     nullptr},
    {"atan(exp(x))",
     [](mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t) {
       return after_exp(y, x, false, [](mpfr_ptr wide) { mpfr_atan(wide, wide, MPFR_RNDN); });
     },
     nullptr},
};

// Checks as check_found() does. But an argument so near to a breakpoint that enumeration cannot determine its bits may
// be undecided, because no theorem says whether an expression's value is the breakpoint. No other argument may.
void check_but_for_limits(const job::Job& job, const result::SearchResult& result, const Enumeration& expected) {
  CHECK(result.covered == job.range());
  std::vector<Found> found = found_in(job, result);
  for (const Case& one : result.undecided)
    found.push_back({to_double(one.x), NAN, one.breakpoint == Breakpoint::midpoint});
  std::sort(found.begin(), found.end(), [](const Found& left, const Found& right) { return left.x < right.x; });
  REQUIRE(found.size() == expected.found.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Found& want = expected.found[i];
    const bool same_bits = std::isnan(want.bits)
                               ? !std::isinf(found[i].bits)
                               : found[i].bits == want.bits || std::fabs(want.bits - found[i].bits) < 1e-5;
    wrong += found[i].x != want.x || !(same_bits || std::isnan(found[i].bits)) ||
             (found[i].is_kind_told && found[i].midpoint != want.midpoint);
  }
  CHECK(wrong == 0);
  std::size_t undecided = 0;
  for (const Case& one : result.undecided)
    undecided += std::any_of(expected.found.begin(), expected.found.end(),
                             [&](const Found& want) { return want.x == to_double(one.x) && std::isnan(want.bits); });
  CHECK(undecided == result.undecided.size());
}

// The same function, with a wrong value from MPFR.
function::Function with_value(const char* name, std::function<function::ValueEnclosure(mpfr_srcptr, long)> value) {
  function::Function function = function::find_function(name);
  function.value = std::move(value);
  function.exactness = [](mpfr_srcptr) { return function::Exactness::unknown; };
  return function;
}

function::ValueEnclosure nothing_known(mpfr_srcptr, long precision) {
  function::ValueEnclosure value(precision);
  mpfr_set_inf(value.lower, -1);
  mpfr_set_inf(value.upper, 1);
  return value;
}

} // namespace

TEST_CASE("expressions: every argument of binary16") {
  Work work;
  std::size_t turn = 0;
  for (const Expression& one : expressions) {
    const function::Function function = function::make_expression(one.known.name);
    const auto expected = enumerate(one.known, {11, -14}, one.from, one.to, 11, 7);
    for (std::size_t i = 0; i < std::size(grids); ++i)
      if (is_tried(grids[i], turn))
        compare(make_expression_task(one, function, {"binary16", 11, -14, 11, one.from, one.to}, grids[i], 7),
                usual_device(), expected[i], work);
    ++turn;
  }
  CHECK(work.candidates > 0);
}

TEST_CASE("expressions: slices of binary32") {
  Work work;
  std::size_t turn = 0;
  for (const Expression& one : expressions) {
    const function::Function function = function::make_expression(one.known.name);
    const double to = one.slice + std::ldexp(one.slice < 0 ? -one.slice : one.slice, -9);
    const auto expected = enumerate(one.known, {24, -126}, one.slice, to, 24, 8);
    for (std::size_t i = 0; i < std::size(grids); ++i) {
      if (!is_tried(grids[i], turn))
        continue;
      const Task task = make_expression_task(one, function, {"binary32", 24, -126, 24, one.slice, to}, grids[i], 8);
      CHECK(expected[i].found.size() > 20);
      compare(widely(task), usual_device(), expected[i], work);
      Task eagerly = task;
      eagerly.costs = test_eagerly();
      compare(eagerly, usual_device(), expected[i], work);
    }
    ++turn;
  }
  work.check();
  work.check_wide();
}

// Undecided arguments are listed, none is lost, and exact ones are distinguished from them.
TEST_CASE("expressions: a function that is another one in disguise") {
  const function::Function function = function::make_expression("exp(log(x))");
  Task task = make_task(known_log, {"p11", 11, -1022, 11, 0.96875, 1.03125}, Rounding::all, 5);
  task.function = &function;
  const result::SearchResult result = usual_device().run(task);
  CHECK(result.covered == task.range());
  CHECK(result.cases.empty());
  REQUIRE(result.exact.size() == 1);
  CHECK(to_double(result.exact.front().x) == 1);
  CHECK(uint128(result.undecided.size()) + 1 == task.size());
}

TEST_CASE("expressions: values that overflow MPFR's exponents on the way") {
  constexpr double far = 0x1p+31;
  std::size_t turn = 0;
  for (const std::string name : {"p3", "bfloat16"}) {
    const Format format = find_format(name);
    const int p = format.precision;
    // Where the arguments are small nothing overflows; where they are large, and not so large, nothing else happens
    // than at the ends.
    std::vector<std::pair<double, double>> ranges{{-far, far}};
    if (!tries_all && name == "bfloat16")
      ranges = {{-far, -far / 4}, {-0x1p+8, -0x1p-5}, {0x1p-5, 0x1p+8}, {far / 4, far}};
    for (const Known& known : overflowing) {
      const std::size_t grid = turn++ % std::size(grids);
      if (!tries_all && name == "bfloat16" && turn % 2 == 0)
        continue;
      const function::Function function = function::make_expression(known.name);
      for (const auto& [from, to] : ranges) {
        INFO(name << " " << std::string(known.name) << " from " << from);
        Task task = make_task(known_exp, {name, p, format.min_exponent, p, from, to}, grids[grid], 4);
        task.function = &function;
        task.values = Values::format;
        const auto expected = enumerate(known, {p, format.min_exponent}, from, to, p, 4,
                                        Exponents{format.min_exponent, format.max_exponent});
        check_but_for_limits(task, usual_device().run(task), expected[grid]);
      }
    }
  }
}

// Where MPFR has no numbers, and only there, a proof in Arb stands alone.
TEST_CASE("expressions: MPFR may know nothing of what is proven, but not the contrary") {
  const auto whole = [](const char* name, const function::Function& function) {
    Task task = make_task(known_exp, {"binary16", 11, -14, 11, 1, 2}, Rounding::all, 6);
    task.values = Values::format;
    task.function = &function;
    // no case where it overflows; all arguments where sin x is nearly x
    const bool is_exp = std::string_view(name) == "exp";
    task.first = task.arguments().parse(is_exp ? "16" : "0x1p-14", "");
    task.last = task.arguments().parse(is_exp ? "65504" : "0x1p-8", "");
    const std::unique_ptr<searches::Worker> worker = host_worker(task, 64);
    return searches::run_search(task, std::span(&worker, 1));
  };
  for (const char* name : {"exp", "sin"}) {
    INFO(std::string(name));
    const result::SearchResult right = whole(name, function::find_function(name));
    REQUIRE(right.arguments_of_regimes(std::string_view(name) == "sin") > 1024);
    const result::SearchResult alone = whole(name, with_value(name, nothing_known));
    CHECK(alone.covered == right.covered);
    CHECK(alone.arguments_of_regimes(true) == right.arguments_of_regimes(true));
    CHECK(alone.arguments_of_regimes(false) == right.arguments_of_regimes(false));
    // The value 1, and one next to it: exact, and hard instead of none.
    for (const double beside : {0.0, 0x1p-300}) {
      const function::Function wrong = with_value(name, [beside](mpfr_srcptr, long precision) {
        function::ValueEnclosure value(std::max(precision, 400L));
        for (const mpfr_ptr end : {mpfr_ptr(value.lower), mpfr_ptr(value.upper)}) {
          mpfr_set_d(end, beside, MPFR_RNDN);
          mpfr_add_ui(end, end, 1, MPFR_RNDN);
        }
        return value;
      });
      if (beside == 0 || std::string_view(name) == "exp") // otherwise it is a case, by proof
        CHECK_THROWS_AS((void)whole(name, wrong), SoundnessError);
    }
    // Far from every breakpoint instead of all; and a value whose exponent has no breakpoint.
    const function::Function far = with_value(name, [](mpfr_srcptr, long precision) {
      function::ValueEnclosure value(precision);
      mpfr_set_d(value.lower, 1 + 0x1.5p-12, MPFR_RNDN);
      mpfr_set(value.upper, value.lower, MPFR_RNDN);
      return value;
    });
    if (std::string_view(name) == "sin")
      CHECK_THROWS_AS((void)whole(name, far), SoundnessError);
  }
}

} // namespace tmd::test
