// Keys of a search or of [defaults] are options of `tmd search`; the option table knows their types. All mistakes of a
// file are reported together, each with its line.
#include "request/job_file.hpp"

#include "request/option_error.hpp"
#include "request/option_table.hpp"
#include "support/text.hpp"
#include "support/text_forms.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace tmd::request {

namespace {

using support::take;
using support::take_name;
using support::take_number;

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

// The members that pown:3..1024 stands for; nothing where the text is no such range.
std::vector<std::string> members_of(std::string_view text) {
  constexpr std::size_t most_digits = 4;
  const auto reads = [&](int& member) {
    const bool is_negative = take(text, "-");
    std::string digits;
    if (!take_number(text, digits) || digits.size() > most_digits)
      return false;
    member = is_negative ? -std::stoi(digits) : std::stoi(digits);
    return true;
  };
  std::string family;
  int first = 0;
  int last = 0;
  std::vector<std::string> members;
  if (take_name(text, family) && take(text, ":") && reads(first) && take(text, "..") && reads(last) && text.empty())
    for (int n = first; n <= last; ++n)
      members.push_back(fmt::format("{}:{}", family, n));
  return members;
}

class JobFileReader {
public:
  explicit JobFileReader(const toml::table& root) : root_(root) {}

  JobFile read() {
    const toml::array* searches = nullptr;
    for (const auto& [key, node] : root_)
      if (key == "defaults" && node.is_table())
        defaults_ = node.as_table();
      else if (key == "search" && node.is_array_of_tables())
        searches = node.as_array();
      else
        mistake(node,
                fmt::format("unknown key '{}': a job file has one table [defaults] and tables [[search]]", key.str()));
    if (defaults_ != nullptr)
      for (const auto& [key, node] : *defaults_)
        if (const SearchOption* option = option_of(key.str(), node))
          for (const toml::node* value : values_of(key.str(), node))
            (void)texts_of(*option, *value);
    if (searches == nullptr && file_.mistakes.empty())
      mistake(root_, "there is no search: no table [[search]]");
    if (searches != nullptr)
      for (const toml::node& node : *searches)
        read_search(*node.as_table());
    std::stable_sort(file_.mistakes.begin(), file_.mistakes.end(),
                     [](const JobFileMistake& left, const JobFileMistake& right) { return left.line < right.line; });
    return std::move(file_);
  }

private:
  void mistake(const toml::node& where, const std::string& what) {
    const auto written = written_as_.find(&where);
    const int line = std::max(line_of(written == written_as_.end() ? where : *written->second), 1);
    const std::string sentence = support::as_sentence(what);
    const auto is_known = [&](const JobFileMistake& known) { return known.line == line && known.sentence == sentence; };
    if (std::none_of(file_.mistakes.begin(), file_.mistakes.end(), is_known)) // every search meets a bad default
      file_.mistakes.push_back({line, sentence});
  }

  // The option of a key. If job files have no such option, notes a mistake and returns null.
  const SearchOption* option_of(std::string_view key, const toml::node& node) {
    std::vector<std::string_view> names{"name"};
    for (const SearchOption& option : option_table()) {
      if (option.name == key && option.in_job_files)
        return &option;
      if (option.name == key) {
        mistake(node, fmt::format("'{}' cannot be set in a job file: `tmd run` sets it", key));
        return nullptr;
      }
      if (option.in_job_files)
        names.push_back(option.name);
    }
    mistake(node, fmt::format("unknown key '{}'{}", key, support::did_you_mean(key, names)));
    return nullptr;
  }

  // The values to search with: all elements of an array of functions or roundings, of a range all members; else the
  // node itself.
  std::vector<const toml::node*> values_of(std::string_view key, const toml::node& node) {
    std::vector<const toml::node*> values;
    if (const toml::array* list = node.as_array(); list != nullptr && (key == "function" || key == "rounding"))
      for (const toml::node& value : *list) {
        const std::vector<std::string> members = members_of(value.value_exact<std::string>().value_or(""));
        if (members.empty())
          values.push_back(&value);
        for (const std::string& member : members) {
          values.push_back(&members_.emplace_back(member));
          written_as_[values.back()] = &value;
        }
      }
    if (values.empty())
      values.push_back(&node);
    return values;
  }

  // The texts that set the option, in order. If the value does not fit, notes a mistake and returns nothing.
  std::optional<std::vector<std::string>> texts_of(const SearchOption& option, const toml::node& node) {
    if (option.is_flag()) {
      if (const auto wanted = node.value_exact<bool>())
        return *wanted ? std::vector<std::string>{"true"} : std::vector<std::string>{};
      mistake(node, fmt::format("{} must be true or false", option.name));
      return std::nullopt;
    }
    std::vector<std::string> texts;
    const auto add = [&](const toml::node& value) {
      if (const auto string = value.value_exact<std::string>())
        texts.push_back(*string);
      else if (const auto integer = value.value_exact<std::int64_t>())
        texts.push_back(std::to_string(*integer));
      else
        return false;
      return true;
    };
    const toml::array* list = option.is_repeated ? node.as_array() : nullptr;
    if (list != nullptr ? std::all_of(list->begin(), list->end(), add) : add(node))
      return texts;
    mistake(node, fmt::format("{} must be a string or an integer; other numbers are written as strings", option.name));
    return std::nullopt;
  }

  using Values = std::map<std::string, const toml::node*>;

  // The part of a search's name that comes from an array: rootn:3 becomes rootn3. The function also names a search that
  // has an array of roundings and no name.
  static std::string name_by(const toml::table& table, const Values& values, const Values& chosen,
                             const std::string& key) {
    const auto is_array = [&](const char* name) {
      const auto value = values.find(name);
      return value != values.end() && value->second->is_array();
    };
    const bool is_only_by_rounding = key == "function" && !table.contains("name") && is_array("rounding");
    const auto value = chosen.find(key);
    if (value == chosen.end() || (!is_array(key.c_str()) && !is_only_by_rounding))
      return {};
    std::string name = value->second->value_exact<std::string>().value_or("");
    name.erase(std::remove(name.begin(), name.end(), ':'), name.end());
    return name;
  }

  // The name of a table's search, with -FUNCTION or -ROUNDING for arrays. If it has no valid name, notes a mistake and
  // returns an empty string.
  std::string name_of(const toml::table& table, const Values& values, const Values& chosen) {
    constexpr std::size_t longest = 100;
    const toml::node* node = table.get("name");
    std::string name = node == nullptr ? "" : node->value_exact<std::string>().value_or("");
    const bool is_bad = node != nullptr && name.empty();
    for (const char* key : {"function", "rounding"})
      if (const std::string part = name_by(table, values, chosen, key); !part.empty())
        name += (name.empty() ? "" : "-") + part;
    if (node == nullptr && name.empty()) {
      mistake(table, "the search has no name");
      return {};
    }
    const auto fits = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             std::string_view("._+-").find(c) != std::string_view::npos;
    };
    if (is_bad || name.size() > longest || name.front() == '.' || name.front() == '-' ||
        !std::all_of(name.begin(), name.end(), fits)) {
      const auto function = chosen.find("function");
      const bool is_made = !name_by(table, values, chosen, "function").empty() && function != chosen.end();
      mistake(is_made           ? *function->second
              : node != nullptr ? *node
                                : table,
              fmt::format("a name is a string of letters, digits and . _ + -, since files are named by it{}",
                          is_made ? "; an expression has a search of its own" : ""));
      return {};
    }
    if (!names_.insert(name).second) {
      mistake(node != nullptr ? *node : table, fmt::format("another search has the name '{}'", name));
      return {};
    }
    return name;
  }

  void read_search(const toml::table& table) {
    // The search's own values, with the defaults for the others.
    Values values;
    for (const toml::table* source : {&table, defaults_})
      if (source != nullptr)
        for (const auto& [key, node] : *source)
          values.emplace(key.str(), &node);
    for (const auto& [key, node] : table)
      if (key != "name")
        (void)option_of(key.str(), node);
    if (values.find("function") == values.end())
      mistake(table, "the search has no function");
    const auto alternatives = [&](const char* key) {
      const auto value = values.find(key);
      return value == values.end() ? std::vector<const toml::node*>{nullptr} : values_of(key, *value->second);
    };
    for (const toml::node* function : alternatives("function"))
      for (const toml::node* rounding : alternatives("rounding")) {
        Values chosen = values;
        if (function != nullptr)
          chosen["function"] = function;
        if (rounding != nullptr)
          chosen["rounding"] = rounding;
        read_one(table, chosen, name_of(table, values, chosen));
      }
  }

  // Sets the option. If the value is not valid, notes a mistake and returns false.
  bool set_from(SearchSpec& spec, const SearchOption& option, const toml::node& value) {
    const auto texts = texts_of(option, value);
    if (!texts)
      return false;
    try {
      for (const std::string& text : *texts)
        set_option(spec, option, text);
      return true;
    } catch (const OptionError& error) {
      mistake(value, error.what());
      return false;
    }
  }

  // The spec with these values. Invalid values are removed and noted as mistakes.
  SearchSpec spec_of(Values& values) {
    SearchSpec spec;
    for (const SearchOption& option : option_table())
      if (const auto value = values.find(option.name); value != values.end() && option.in_job_files)
        if (!set_from(spec, option, *value->second))
          values.erase(value);
    return spec;
  }

  // Reads one search with these values. Removes what is wrong until the rest is right, so that every mistake is noted
  // and not only the first.
  void read_one(const toml::table& table, const Values& given, const std::string& name) {
    Values values = given;
    const auto is_wrong = [&](const char* key) { return given.contains(key) && !values.contains(key); };
    while (true) {
      SearchSpec spec = spec_of(values);
      if (!values.contains("function"))
        spec.functions = {"x"}; // its domain contains every range
      if (is_wrong("format") || is_wrong("argument-precision"))
        spec.from = spec.to = std::nullopt; // they may be valid in the format that was intended
      try {
        SearchRequest request = resolve(spec);
        if (values.size() == given.size() && given.contains("function"))
          file_.searches.push_back({name, std::move(request)});
        return;
      } catch (const OptionError& error) {
        const auto value = values.find(error.option());
        mistake(value != values.end() ? *value->second : table, error.what());
        if (value == values.end())
          return;
        values.erase(value);
      } catch (const UsageError& error) {
        mistake(table, error.what());
        return;
      }
    }
  }

  const toml::table& root_;
  const toml::table* defaults_ = nullptr;
  std::set<std::string> names_;
  std::deque<toml::value<std::string>> members_;              // of ranges, one by one
  std::map<const toml::node*, const toml::node*> written_as_; // the range of each
  JobFile file_;
};

constexpr std::ptrdiff_t most_dots = 100; // in a line; a value may be the 256th within another

// The line, counted from 1, that has more dots than any key needs; 0 if none has. Each dot of a key is a table within a
// table, and they overrun the stack when there are 100,000. Comments may have as many as they like.
int line_of_too_many_dots(std::string_view text) {
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view here = text.substr(0, text.find('\n'));
    const auto begin = here.find_first_not_of(" \t");
    if (begin != std::string_view::npos && here[begin] != '#' && std::count(here.begin(), here.end(), '.') > most_dots)
      return line;
    text.remove_prefix(std::min(here.size() + 1, text.size()));
  }
  return 0;
}

} // namespace

JobFile parse_job_file(std::string_view text) {
  if (const int line = line_of_too_many_dots(text); line != 0)
    return {{}, {{line, fmt::format("more than {} dots in one line", most_dots)}}};
  try {
    const toml::table root = toml::parse(text);
    return JobFileReader(root).read();
  } catch (const toml::parse_error& error) {
    return {{},
            {{static_cast<int>(error.source().begin.line), support::on_one_line(std::string(error.description()))}}};
  }
}

JobFile read_job_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open() || std::filesystem::is_directory(file, ignored))
    throw UsageError(fmt::format("cannot read the job file '{}'", file.string()));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse_job_file(text);
}

} // namespace tmd::request
