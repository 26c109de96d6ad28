// The behaviour-tree condition EnoughEnergyToReturn.
#ifndef USV_ENERGY_NAV2__ENOUGH_ENERGY_TO_RETURN_CONDITION_HPP_
#define USV_ENERGY_NAV2__ENOUGH_ENERGY_TO_RETURN_CONDITION_HPP_

#include <string>

#include "behaviortree_cpp/condition_node.h"
#include "rclcpp/rclcpp.hpp"
#include "usv_energy_msgs/msg/home_margin.hpp"
#include "usv_energy_nav2/return_judgement.hpp"

namespace usv_energy_nav2
{

/// SUCCESS while the boat may go on, FAILURE once it is time to go back, until it was home, and where nothing is known.
///
/// The node is the blackboard's "node", an rclcpp::Node::SharedPtr, as Nav2's bt_navigator of Jazzy gives it.
class EnoughEnergyToReturnCondition : public BT::ConditionNode
{
public:
  /// Make the node, as the factory does.
  EnoughEnergyToReturnCondition(const std::string & name, const BT::NodeConfig & config);

  /// Return the ports: topic, least margin J, oldest age s, radius of home m, and the answer where nothing is known.
  static BT::PortsList providedPorts();

  /// Hear what came, and judge the last word.
  BT::NodeStatus tick() override;

private:
  void listen();

  rclcpp::Node::SharedPtr node_;
  rclcpp::CallbackGroup::SharedPtr group_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Subscription<usv_energy_msgs::msg::HomeMargin>::SharedPtr subscription_;
  std::string topic_;
  Said said_;
  ReturnJudgement judgement_;
};

}  // namespace usv_energy_nav2

#endif  // USV_ENERGY_NAV2__ENOUGH_ENERGY_TO_RETURN_CONDITION_HPP_
