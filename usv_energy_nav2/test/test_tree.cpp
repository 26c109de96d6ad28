// The plugin, loaded as bt_navigator loads it, in a tree, with a real publisher: what it answers, and for how long.
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <thread>

#include "behaviortree_cpp/bt_factory.h"
#include "rclcpp/rclcpp.hpp"
#include "usv_energy_msgs/msg/home_margin.hpp"

using usv_energy_msgs::msg::HomeMargin;

namespace
{

int failures = 0;

void check(bool holds, const std::string & what)
{
  std::cout << (holds ? "ok    " : "WRONG ") << what << std::endl;
  failures += holds ? 0 : 1;
}

const char TREE[] = R"(
<root BTCPP_format="4"><BehaviorTree ID="Main">
  <EnoughEnergyToReturn home_margin_topic="/boat/home_margin" least_margin="100.0" max_age="2.0" home_radius="10.0"/>
</BehaviorTree></root>)";

class Bench
{
public:
  explicit Bench(const std::string & plugin)
  : node_(std::make_shared<rclcpp::Node>("bench"))
  {
    factory_.registerFromPlugin(plugin);
    auto blackboard = BT::Blackboard::create();
    blackboard->set<rclcpp::Node::SharedPtr>("node", node_);
    tree_ = factory_.createTreeFromText(TREE, blackboard);
    publisher_ = node_->create_publisher<HomeMargin>("/boat/home_margin", rclcpp::QoS(10).reliable().transient_local());
  }

  BT::NodeStatus tick() {return tree_.tickExactlyOnce();}

  void say(double margin, bool return_home, double distance, std::uint32_t status = 0, double age = 0.0)
  {
    HomeMargin msg;
    msg.header.stamp = node_->now() - rclcpp::Duration::from_seconds(age);
    msg.margin = margin;
    msg.return_home = return_home;
    msg.distance = distance;
    msg.status = status;
    publisher_->publish(msg);
  }

  /// Tick until the answer is this one, 5 s at most; then ten times more, so that it does not only pass by.
  bool answers(BT::NodeStatus wanted)
  {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (tick() != wanted) {
      if (std::chrono::steady_clock::now() > end) {
        return false;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    for (int n = 0; n < 10; ++n) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (tick() != wanted) {
        return false;
      }
    }
    return true;
  }

private:
  rclcpp::Node::SharedPtr node_;
  BT::BehaviorTreeFactory factory_;  // It holds the plugin's library: it outlives the tree.
  BT::Tree tree_;
  rclcpp::Publisher<HomeMargin>::SharedPtr publisher_;
};

}  // namespace

int main(int argc, char ** argv)
{
  rclcpp::init(argc, argv);
  const auto yes = BT::NodeStatus::SUCCESS, no = BT::NodeStatus::FAILURE;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  {
    Bench bench(argv[1]);
    check(bench.answers(no), "nothing was said yet: not enough");
    bench.say(5000.0, false, 200.0);
    check(bench.answers(yes), "a margin: enough");
    bench.say(50.0, false, 200.0);
    check(bench.answers(no), "below the least margin: not enough");
    bench.say(5000.0, false, 100.0);
    check(bench.answers(no), "a margin again on the way back: still not enough");
    bench.say(5000.0, false, 5.0);
    check(bench.answers(yes), "home: enough");
    bench.say(5000.0, true, 200.0);
    check(bench.answers(no), "return_home: not enough");
    bench.say(5000.0, false, 5.0);
    check(bench.answers(yes), "home again: enough");
    bench.say(5000.0, false, 200.0, 0, 10.0);
    check(bench.answers(no), "said 10 s ago: not enough");
    bench.say(5000.0, false, 200.0);
    check(bench.answers(yes), "what is old was no reason to go back for good: enough");
    bench.say(nan, false, nan, HomeMargin::NO_BATTERY);
    check(bench.answers(no), "the charge is not known: not enough");
    bench.say(-std::numeric_limits<double>::infinity(), true, 200.0, HomeMargin::UNREACHABLE);
    check(bench.answers(no), "no headway home: not enough");
  }
  {
    Bench late(argv[1]);
    late.say(5000.0, false, 200.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    check(late.answers(yes), "a tree that comes late hears the last word");
  }
  rclcpp::shutdown();
  return failures;
}
