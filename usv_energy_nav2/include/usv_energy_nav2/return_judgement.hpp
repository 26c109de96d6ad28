// Whether a boat may go on: what home_margin says, judged. Free of ROS and of BehaviorTree.CPP.
#ifndef USV_ENERGY_NAV2__RETURN_JUDGEMENT_HPP_
#define USV_ENERGY_NAV2__RETURN_JUDGEMENT_HPP_

#include <cmath>
#include <cstdint>
#include <limits>

namespace usv_energy_nav2
{

/// What a usv_energy_msgs/HomeMargin says, as far as it is judged.
struct Said
{
  double stamp = -std::numeric_limits<double>::infinity();  ///< s; nothing was said yet
  double margin = std::numeric_limits<double>::quiet_NaN();  ///< J beyond the way home and the reserve
  double distance = std::numeric_limits<double>::quiet_NaN();  ///< m to the place
  bool return_home = false;
  std::uint32_t status = 0;
};

/// How it is judged.
struct Limits
{
  double least_margin = 0.0;  ///< J; below it there is not enough
  double max_age = 5.0;  ///< s; what was said longer ago does not count
  double home_radius = 10.0;  ///< m; so near to the place the boat is home
  bool when_unknown = false;  ///< the answer where nothing is known
};

/// Judges, and remembers that it was time to go back until the boat was home: a boat that has turned must not turn again
/// because its margin grows on the way.
class ReturnJudgement
{
public:
  /// Return whether there is enough energy to go on.
  /// @param said The last word.
  /// @param now On the clock of its stamp, s.
  bool enough(const Said & said, double now, const Limits & limits)
  {
    // NO_HOME, NO_BATTERY, NO_STATE: the first three bits of HomeMargin.status.
    const bool known = (said.status & 7u) == 0u && now - said.stamp <= limits.max_age && !std::isnan(said.margin);
    if (!known) {
      return limits.when_unknown && !returning_;
    }
    const bool is_due = said.return_home || said.margin < limits.least_margin;
    returning_ = is_due || (returning_ && !(said.distance <= limits.home_radius));
    return !returning_;
  }

private:
  bool returning_ = false;
};

}  // namespace usv_energy_nav2

#endif  // USV_ENERGY_NAV2__RETURN_JUDGEMENT_HPP_
