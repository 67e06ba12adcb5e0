#include "result/journal_device.hpp"

#include "result/records.hpp"
#include "tmd/error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tmd::result {

namespace {

Json device_record(std::size_t number, const opencl::DeviceDescription& device) {
  Json record = plain_record("device", {{"device", number},
                                        {"name", device.name},
                                        {"platform", device.platform},
                                        {"driver", device.driver_version},
                                        {"index", device.index},
                                        {"class", to_string(device.device_class())}});
  if (!device.host.empty()) {
    record["host"] = device.host;
    record["uuid"] = device.uuid;
  }
  return record;
}

bool is_same(const JournalDevice& one, const opencl::DeviceDescription& device) {
  return one.name == device.name && one.platform == device.platform && one.driver == device.driver_version &&
         one.index == device.index && one.host == device.host && (device.host.empty() || one.uuid == device.uuid);
}

} // namespace

std::vector<std::size_t> number_devices(const std::vector<opencl::DeviceDescription>& devices,
                                        std::vector<JournalDevice>& named,
                                        const std::function<void(const Json&)>& append) {
  std::vector<std::size_t> numbers;
  for (const opencl::DeviceDescription& device : devices) {
    const auto known =
        std::find_if(named.begin(), named.end(), [&](const JournalDevice& one) { return is_same(one, device); });
    numbers.push_back(static_cast<std::size_t>(known - named.begin()));
    if (known == named.end()) {
      append(device_record(named.size(), device));
      named.push_back(
          {device.name, device.platform, device.driver_version, device.index, {}, device.host, device.uuid});
    }
  }
  return numbers;
}

void read_device(const Json& record, std::vector<JournalDevice>& named) {
  if (record.at("device") != named.size())
    throw UsageError("its device has a wrong number");
  named.push_back({record.at("name"), record.at("platform"), record.at("driver"), to_count(record.at("index")),
                   record.at("class"), record.value("host", ""), record.value("uuid", "")});
}

std::size_t device_number(const Json& record, const std::vector<JournalDevice>& named) {
  const std::uint64_t number = to_count(record.at("device"));
  if (number >= named.size())
    throw UsageError(fmt::format("no record before it names a device {}", number));
  return number;
}

} // namespace tmd::result
