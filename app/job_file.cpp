#include "job_file.hpp"

#include "search.hpp"
#include "support/text.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace tmd::app {

namespace {

// Of `tmd search`, what a job file has no say in.
constexpr std::array<std::string_view, 13> reserved{
    "wc",         "json",         "quiet",   "progress", "ledger", "foreign-kernels", "help", "journal",
    "no-journal", "reproducible", "dry-run", "shard",    "mpi"};

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

class Reader {
public:
  explicit Reader(const toml::table& root) : root_(root) {
    for (const OptionDescription& option : options_of(search, {}))
      if (std::find(reserved.begin(), reserved.end(), option.name) == reserved.end())
        options_.emplace(option.name, !option.value.empty());
  }

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
        if (key == "function" || check_key(key.str(), node))
          for (const toml::node* value : values_of(key.str(), node))
            (void)words_of(std::string(key.str()), *value);
    if (searches == nullptr && file_.mistakes.empty())
      mistake(root_, "there is no search: no table [[search]]");
    if (searches != nullptr)
      for (const toml::node& node : *searches)
        read_search(*node.as_table());
    std::stable_sort(file_.mistakes.begin(), file_.mistakes.end(),
                     [](const Mistake& left, const Mistake& right) { return left.line < right.line; });
    return std::move(file_);
  }

private:
  void mistake(const toml::node& where, const std::string& what) {
    const int line = std::max(line_of(where), 1);
    const std::string sentence = on_one_line(what);
    const auto is_known = [&](const Mistake& known) { return known.line == line && known.sentence == sentence; };
    if (std::none_of(file_.mistakes.begin(), file_.mistakes.end(), is_known)) // a bad default is met by every search
      file_.mistakes.push_back({line, sentence});
  }

  bool check_key(std::string_view key, const toml::node& node) {
    if (options_.find(key) != options_.end())
      return true;
    if (std::find(reserved.begin(), reserved.end(), key) != reserved.end()) {
      mistake(node, fmt::format("'{}' is not for job files: it is up to `tmd run`", key));
      return false;
    }
    std::vector<std::string_view> names{"name", "function"};
    for (const auto& [name, takes_value] : options_)
      names.push_back(name);
    mistake(node, fmt::format("unknown key '{}'{}", key, did_you_mean(key, names)));
    return false;
  }

  // Those of which each is to be searched: of an array of functions or of roundings all, else the node itself.
  static std::vector<const toml::node*> values_of(std::string_view key, const toml::node& node) {
    std::vector<const toml::node*> values;
    if (const toml::array* list = node.as_array(); list != nullptr && (key == "function" || key == "rounding"))
      for (const toml::node& value : *list)
        values.push_back(&value);
    if (values.empty())
      values.push_back(&node);
    return values;
  }

  // What stands on a command line for it. Nothing, and a mistake is noted, where that cannot be told.
  std::optional<Arguments> words_of(const std::string& key, const toml::node& node) {
    const auto option = options_.find(key);
    const bool takes_value = option == options_.end() || option->second;
    if (!takes_value) {
      if (const auto wanted = node.value_exact<bool>())
        return *wanted ? Arguments{"--" + key} : Arguments{};
      mistake(node, fmt::format("{} must be true or false", key));
      return std::nullopt;
    }
    Arguments words;
    const auto add = [&](const toml::node& value) {
      std::string text;
      if (const auto string = value.value_exact<std::string>())
        text = *string;
      else if (const auto integer = value.value_exact<std::int64_t>())
        text = std::to_string(*integer);
      else
        return false;
      words.push_back(key == "function" ? text : fmt::format("--{}={}", key, text));
      return true;
    };
    const toml::array* list = node.as_array();
    const bool is_list = list != nullptr && (key == "device" || key == "set");
    if (is_list ? std::all_of(list->begin(), list->end(), add) : add(node))
      return words;
    mistake(node, fmt::format("{} must be a string or an integer; other numbers are written as strings", key));
    return std::nullopt;
  }

  using Values = std::map<std::string, const toml::node*>;

  // What an array gives to the name of each of its searches: rootn:3 becomes rootn3. Where an array is all that there
  // is to name a search by, its function does so, too.
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

  // That of the table, of arrays with what it searches: -NAME. Empty, and a mistake is noted, where it has none that
  // will do.
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
      mistake(node != nullptr ? *node : table, fmt::format("there is a search '{}' before", name));
      return {};
    }
    return name;
  }

  void read_search(const toml::table& table) {
    // Its own values and, where it has none, the defaults.
    Values values;
    for (const toml::table* source : {&table, defaults_})
      if (source != nullptr)
        for (const auto& [key, node] : *source)
          if (key == "function" || options_.find(key.str()) != options_.end())
            values.emplace(key.str(), &node);
    for (const auto& [key, node] : table)
      if (key != "name" && key != "function")
        (void)check_key(key.str(), node);
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

  // One search, with these values.
  void read_one(const toml::table& table, const Values& values, const std::string& name) {
    Arguments options;
    Arguments function;
    for (const auto& [key, node] : values) {
      const auto words = words_of(key, *node);
      if (!words)
        return;
      Arguments& target = key == "function" ? function : options;
      target.insert(target.end(), words->begin(), words->end());
    }
    if (function.empty())
      return;
    options.emplace_back("--");
    options.push_back(function.front());
    try {
      file_.searches.push_back({name, options, check_search(options)});
    } catch (const UsageError& error) {
      const std::string sentence = error.what();
      const auto is_about = [&](const auto& value) {
        const std::string word = value.second->template value_exact<std::string>().value_or("");
        const bool is_quoted = !word.empty() && sentence.find("'" + word + "'") != std::string::npos;
        return sentence.rfind("--" + value.first, 0) == 0 ||
               (is_quoted && (value.first == "function" || sentence.find(value.first) != std::string::npos));
      };
      const auto found = std::find_if(values.begin(), values.end(), is_about);
      mistake(found != values.end() ? *found->second : table, sentence);
    }
  }

  const toml::table& root_;
  const toml::table* defaults_ = nullptr;
  std::map<std::string, bool, std::less<>> options_; // whether it takes a value
  std::set<std::string> names_;
  JobFile file_;
};

} // namespace

JobFile read_job_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open() || std::filesystem::is_directory(file, ignored))
    throw UsageError(fmt::format("cannot read the job file '{}'", file.string()));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  try {
    const toml::table root = toml::parse(text);
    return Reader(root).read();
  } catch (const toml::parse_error& error) {
    return {{}, {{static_cast<int>(error.source().begin.line), on_one_line(std::string(error.description()))}}};
  }
}

} // namespace tmd::app
