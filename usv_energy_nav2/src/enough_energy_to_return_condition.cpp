#include "usv_energy_nav2/enough_energy_to_return_condition.hpp"

#include <chrono>
#include <string>

#include "behaviortree_cpp/bt_factory.h"

namespace usv_energy_nav2
{

using usv_energy_msgs::msg::HomeMargin;

static_assert((HomeMargin::NO_HOME | HomeMargin::NO_BATTERY | HomeMargin::NO_STATE) == 7u, "as return_judgement.hpp");

EnoughEnergyToReturnCondition::EnoughEnergyToReturnCondition(
  const std::string & name, const BT::NodeConfig & config)
: BT::ConditionNode(name, config)
{
}

BT::PortsList EnoughEnergyToReturnCondition::providedPorts()
{
  const Limits usual;
  return {
    BT::InputPort<std::string>("home_margin_topic", "home_margin", "Topic of usv_energy_msgs/HomeMargin"),
    BT::InputPort<double>("least_margin", usual.least_margin, "Below this margin there is not enough, J"),
    BT::InputPort<double>("max_age", usual.max_age, "What was said longer ago does not count, s"),
    BT::InputPort<double>("home_radius", usual.home_radius, "So near to its place the boat is home, m"),
    BT::InputPort<bool>("when_unknown", usual.when_unknown, "The answer where nothing is known"),
  };
}

void EnoughEnergyToReturnCondition::listen()
{
  std::string topic = "home_margin";
  getInput("home_margin_topic", topic);
  if (subscription_ && topic == topic_) {
    return;
  }
  topic_ = topic;
  if (!node_) {
    node_ = config().blackboard->get<rclcpp::Node::SharedPtr>("node");
    group_ = node_->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
    executor_.add_callback_group(group_, node_->get_node_base_interface());
  }
  said_ = Said();
  rclcpp::SubscriptionOptions options;
  options.callback_group = group_;
  subscription_ = node_->create_subscription<HomeMargin>(
    topic_, rclcpp::QoS(1).reliable().transient_local(),
    [this](HomeMargin::ConstSharedPtr msg) {
      said_.stamp = rclcpp::Time(msg->header.stamp).seconds();
      said_.margin = msg->margin;
      said_.distance = msg->distance;
      said_.return_home = msg->return_home;
      said_.status = msg->status;
    }, options);
  // The first spin of an executor of Jazzy's rclcpp takes up the group; it hands out nothing yet.
  executor_.spin_some(std::chrono::nanoseconds(1));
}

BT::NodeStatus EnoughEnergyToReturnCondition::tick()
{
  listen();
  executor_.spin_some();
  Limits limits;
  getInput("least_margin", limits.least_margin);
  getInput("max_age", limits.max_age);
  getInput("home_radius", limits.home_radius);
  getInput("when_unknown", limits.when_unknown);
  return judgement_.enough(said_, node_->now().seconds(), limits) ? BT::NodeStatus::SUCCESS : BT::NodeStatus::FAILURE;
}

}  // namespace usv_energy_nav2

BT_REGISTER_NODES(factory)
{
  factory.registerNodeType<usv_energy_nav2::EnoughEnergyToReturnCondition>("EnoughEnergyToReturn");
}
