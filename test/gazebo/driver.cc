// Steps a Gazebo world for tests, and tells where its boats are: commands in on stdin, one line out each on stdout.
//
//   driver WORLD STEP MODEL...  waits for the world, whose physics step is STEP, s, then says "ready"
//   thrust MODEL JOINT N        command of a thruster from now on, N
//   angle MODEL JOINT RAD       command of what turns a thruster or a foil from now on, rad
//   current MODEL X Y           current at a boat from now on, m/s (ENU)
//   wind MODEL X Y              wind at a boat's sails from now on, m/s (ENU)
//   step COUNT                  that many steps of the paused world, then a line for each model:
//                               MODEL t x y z roll pitch yaw u v w p q r     (s, m, rad, m/s, rad/s; body axes)
//
// COUNT must end on an odometry sample. Commands are held; a new one is there before the first step that follows it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#ifdef FORTRESS
#include <ignition/msgs.hh>
#include <ignition/transport.hh>
namespace msgs = ignition::msgs;
namespace transport = ignition::transport;
#else
#include <gz/msgs.hh>
#include <gz/transport.hh>
namespace msgs = gz::msgs;
namespace transport = gz::transport;
#endif

using Deadline = std::chrono::steady_clock::time_point;
using std::chrono::seconds;
using std::chrono::milliseconds;

// How often a command is sent, 20 ms apart: to a listener that has had one, to one that may still be connecting.
static constexpr int KNOWN = 5, NEW = 60;

static Deadline In(int _seconds) { return std::chrono::steady_clock::now() + seconds(_seconds); }

class Driver
{
 public:
  Driver(const std::string &_world, double _step, std::vector<std::string> _models)
      : control("/world/" + _world + "/control"), step(_step), models(std::move(_models))
  {
    for (const auto &model : this->models)
    {
      std::function<void(const msgs::Odometry &)> keep = [this, model](const msgs::Odometry &_msg)
        {
          std::lock_guard<std::mutex> lock(this->mutex);
          this->latest[model] = _msg;
          this->news.notify_all();
        };
      this->node.Subscribe("/model/" + model + "/odometry", keep);
    }
  }

  bool WaitForWorld()
  {
    for (const auto end = In(60); std::chrono::steady_clock::now() < end;)
    {
      std::vector<transport::ServicePublisher> found;
      if (this->node.ServiceInfo(this->control, found) && !found.empty())
        return true;
      std::this_thread::sleep_for(milliseconds(50));
    }
    return false;
  }

  // _what: the end of the topic of a joint, cmd_thrust (N) or 0/cmd_pos (rad).
  void Command(const std::string &_model, const std::string &_joint, const std::string &_what, double _value)
  {
    const auto topic = "/model/" + _model + "/joint/" + _joint + "/" + _what;
    if (!this->commands.count(topic))
      this->commands[topic].first = this->Advertised<msgs::Double>(topic);
    this->commands[topic].second.set_data(_value);
    this->rounds = std::max(this->rounds, KNOWN);
  }

  // _fluid: the namespace of what stands in it, a model's name for the water, with /air for the air.
  void Flow(const std::string &_fluid, double _x, double _y)
  {
    const auto topic = "/model/" + _fluid + "/ocean_current";
    if (!this->currents.count(topic))
      this->currents[topic].first = this->Advertised<msgs::Vector3d>(topic);
    this->currents[topic].second.set_x(_x);
    this->currents[topic].second.set_y(_y);
    this->rounds = std::max(this->rounds, KNOWN);
  }

  bool Step(unsigned _count)
  {
    // Nothing acknowledges a message, and a new publisher's first ones are lost until the other side has connected to
    // it. The world is paused meanwhile: a command that arrives many times is the same command.
    for (int round = 0; round < this->rounds; ++round)
    {
      this->PublishAll();
      std::this_thread::sleep_for(milliseconds(20));
    }
    this->rounds = 0;
    msgs::WorldControl request;
    request.set_pause(true);
    request.set_multi_step(_count);
    msgs::Boolean reply;
    bool result = false;
    if (!this->node.Request(this->control, request, 10000u, reply, result) || !result)
      return false;
    return this->WaitForSamples(_count);
  }

  void Print() const
  {
    for (const auto &model : this->models)
    {
      const auto &msg = this->latest.at(model);
      const auto &p = msg.pose().position();
      const auto &q = msg.pose().orientation();
      const auto &l = msg.twist().linear();
      const auto &a = msg.twist().angular();
      const double roll = std::atan2(2 * (q.w() * q.x() + q.y() * q.z()), 1 - 2 * (q.x() * q.x() + q.y() * q.y()));
      const double pitch = std::asin(std::max(-1.0, std::min(1.0, 2 * (q.w() * q.y() - q.z() * q.x()))));
      const double yaw = std::atan2(2 * (q.w() * q.z() + q.x() * q.y()), 1 - 2 * (q.y() * q.y() + q.z() * q.z()));
      std::cout << model;
      std::cout.precision(12);
      for (double value : {Time(msg), p.x(), p.y(), p.z(), roll, pitch, yaw, l.x(), l.y(), l.z(), a.x(), a.y(), a.z()})
        std::cout << ' ' << value;
      std::cout << '\n';
    }
    std::cout << "done" << std::endl;
  }

 private:
  template <typename T> transport::Node::Publisher Advertised(const std::string &_topic)
  {
    auto publisher = this->node.Advertise<T>(_topic);
    for (const auto end = In(20); !publisher.HasConnections() && std::chrono::steady_clock::now() < end;)
      std::this_thread::sleep_for(milliseconds(20));
    if (!publisher.HasConnections())
      std::cerr << "nobody listens to " << _topic << std::endl;
    this->rounds = NEW;
    return publisher;
  }

  void PublishAll()
  {
    for (auto &[topic, one] : this->commands)
      one.first.Publish(one.second);
    for (auto &[topic, one] : this->currents)
      one.first.Publish(one.second);
  }

  static double Time(const msgs::Odometry &_msg)
  {
    return _msg.header().stamp().sec() + 1e-9 * _msg.header().stamp().nsec();
  }

  bool WaitForSamples(unsigned _count)
  {
    this->steps += _count;
    const double wanted = this->steps * this->step - 1e-6;
    std::unique_lock<std::mutex> lock(this->mutex);
    return this->news.wait_for(lock, seconds(120), [&]
      {
        for (const auto &model : this->models)
          if (!this->latest.count(model) || Time(this->latest[model]) < wanted)
            return false;
        return true;
      });
  }

  transport::Node node;
  std::string control;
  double step;
  std::vector<std::string> models;
  std::map<std::string, std::pair<transport::Node::Publisher, msgs::Double>> commands;
  std::map<std::string, std::pair<transport::Node::Publisher, msgs::Vector3d>> currents;
  int rounds{0};
  unsigned long steps{0};
  std::mutex mutex;
  std::condition_variable news;
  std::map<std::string, msgs::Odometry> latest;
};

int main(int argc, char **argv)
{
  if (argc < 4)
  {
    std::cerr << "driver WORLD STEP MODEL..." << std::endl;
    return 2;
  }
  Driver driver(argv[1], std::stod(argv[2]), {argv + 3, argv + argc});
  if (!driver.WaitForWorld())
  {
    std::cerr << "no world " << argv[1] << std::endl;
    return 1;
  }
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);)
  {
    std::istringstream words(line);
    std::string verb, model, joint;
    double x = 0.0, y = 0.0;
    words >> verb;
    if (verb == "thrust" && words >> model >> joint >> x)
      driver.Command(model, joint, "cmd_thrust", x);
    else if (verb == "angle" && words >> model >> joint >> x)
      driver.Command(model, joint, "0/cmd_pos", x);
    else if (verb == "current" && words >> model >> x >> y)
      driver.Flow(model, x, y);
    else if (verb == "wind" && words >> model >> x >> y)
      driver.Flow(model + "/air", x, y);
    else if (verb == "step" && words >> x)
    {
      if (!driver.Step(static_cast<unsigned>(x)))
      {
        std::cout << "failed" << std::endl;
        return 1;
      }
      driver.Print();
    }
    else
    {
      std::cerr << "what is " << line << '?' << std::endl;
      return 2;
    }
  }
  return 0;
}
