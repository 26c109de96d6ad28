// gz-transport as lines of text, for graph_bridge.py, which stands in for ros_gz_bridge where that cannot be built.
//
// `graph_pipe create WORLD FILE NAME X Y Z YAW` puts a model into a world. Without arguments, lines:
// In:  sub odometry|joints|clock INDEX TOPIC      pub double|vector|wrench|entity INDEX TOPIC
//      p INDEX NUMBERS...   (wrench: NAME KIND FX FY, entity: NAME KIND)      control SERVICE PAUSE STEPS SEC NSEC
// Out: o INDEX SEC NSEC FRAME CHILD 13 NUMBERS    j INDEX SEC NSEC and for each joint NAME and its three numbers
//      k INDEX SEC NSEC    h INDEX 0|1 (has readers)    c 0|1 (control's answer)
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

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

std::mutex output;

void Say(const std::string &_line)
{
  std::lock_guard<std::mutex> lock(output);
  std::fputs(_line.c_str(), stdout);
  std::fflush(stdout);
}

std::string Frame(const msgs::Header &_header, const std::string &_key)
{
  for (const auto &pair : _header.data())
    if (pair.key() == _key && pair.value_size() > 0)
      return pair.value(0);
  return "-";
}

void OnOdometry(int _index, const msgs::Odometry &_msg)
{
  const auto &p = _msg.pose().position();
  const auto &q = _msg.pose().orientation();
  const auto &v = _msg.twist().linear();
  const auto &w = _msg.twist().angular();
  char text[1024];
  std::snprintf(text, sizeof text,
      "o %d %ld %d %s %s %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", _index,
      static_cast<long>(_msg.header().stamp().sec()), _msg.header().stamp().nsec(),
      Frame(_msg.header(), "frame_id").c_str(), Frame(_msg.header(), "child_frame_id").c_str(),
      p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w(), v.x(), v.y(), v.z(), w.x(), w.y(), w.z());
  Say(text);
}

void OnJoints(int _index, const msgs::Model &_msg)
{
  std::ostringstream line;
  line.precision(17);
  line << "j " << _index << ' ' << _msg.header().stamp().sec() << ' ' << _msg.header().stamp().nsec();
  for (const auto &joint : _msg.joint())
    line << ' ' << joint.name() << ' ' << joint.axis1().position() << ' ' << joint.axis1().velocity() << ' '
         << joint.axis1().force();
  Say(line.str() + "\n");
}

// gz-transport 11.0 takes only a std::function that has a name.
template<typename M>
void Subscribe(transport::Node &_node, const std::string &_topic, std::function<void(const M &)> _callback)
{
  _node.Subscribe(_topic, _callback);
}

struct Output
{
  std::string kind;
  transport::Node::Publisher publisher;
  bool read{false};
};

// Put a model into a world, as ros_gz_sim's `create` does: WORLD FILE NAME X Y Z YAW.
int Create(char **_words)
{
  transport::Node node;
  msgs::EntityFactory request;
  request.set_sdf_filename(_words[1]);
  request.set_name(_words[2]);
  const double yaw = std::stod(_words[6]);
  auto *pose = request.mutable_pose();
  pose->mutable_position()->set_x(std::stod(_words[3]));
  pose->mutable_position()->set_y(std::stod(_words[4]));
  pose->mutable_position()->set_z(std::stod(_words[5]));
  pose->mutable_orientation()->set_z(std::sin(yaw / 2));
  pose->mutable_orientation()->set_w(std::cos(yaw / 2));
  const std::string service = "/world/" + std::string(_words[0]) + "/create";
  for (int attempt = 0; attempt < 30; ++attempt)
  {
    msgs::Boolean reply;
    bool result{false};
    if (node.Request(service, request, 1000u, reply, result) && result)
      return reply.data() ? 0 : 1;
  }
  std::fprintf(stderr, "no answer of %s\n", service.c_str());
  return 1;
}

int main(int _argc, char **_argv)
{
  if (_argc == 9 && std::string(_argv[1]) == "create")
    return Create(_argv + 2);
  transport::Node node;
  std::map<int, Output> outputs;
  std::mutex guard;
  std::atomic<bool> over{false};

  std::thread watcher([&] {
    while (!over)
    {
      {
        std::lock_guard<std::mutex> lock(guard);
        for (auto &[index, out] : outputs)
          if (out.publisher.HasConnections() != out.read)
          {
            out.read = !out.read;
            Say("h " + std::to_string(index) + (out.read ? " 1\n" : " 0\n"));
          }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });

  for (std::string line; std::getline(std::cin, line);)
  {
    std::istringstream in(line);
    std::string word, kind, topic;
    int index{0};
    in >> word;
    if (word == "sub")
    {
      in >> kind >> index >> topic;
      if (kind == "odometry")
        Subscribe<msgs::Odometry>(node, topic, [index](const msgs::Odometry &_msg) { OnOdometry(index, _msg); });
      else if (kind == "joints")
        Subscribe<msgs::Model>(node, topic, [index](const msgs::Model &_msg) { OnJoints(index, _msg); });
      else
        Subscribe<msgs::Clock>(node, topic, [index](const msgs::Clock &_msg) {
          Say("k " + std::to_string(index) + " " + std::to_string(_msg.sim().sec()) + " " +
              std::to_string(_msg.sim().nsec()) + "\n");
        });
    }
    else if (word == "unsub")
    {
      in >> topic;
      node.Unsubscribe(topic);
    }
    else if (word == "pub")
    {
      in >> kind >> index >> topic;
      std::lock_guard<std::mutex> lock(guard);
      outputs[index].kind = kind;
      if (kind == "double")
        outputs[index].publisher = node.Advertise<msgs::Double>(topic);
      else if (kind == "vector")
        outputs[index].publisher = node.Advertise<msgs::Vector3d>(topic);
      else if (kind == "wrench")
        outputs[index].publisher = node.Advertise<msgs::EntityWrench>(topic);
      else
        outputs[index].publisher = node.Advertise<msgs::Entity>(topic);
    }
    else if (word == "p")
    {
      in >> index;
      std::lock_guard<std::mutex> lock(guard);
      auto &out = outputs[index];
      double x{0}, y{0}, z{0};
      std::string name;
      int type{0};
      if (out.kind == "double")
      {
        msgs::Double msg;
        in >> x;
        msg.set_data(x);
        out.publisher.Publish(msg);
      }
      else if (out.kind == "vector")
      {
        msgs::Vector3d msg;
        in >> x >> y >> z;
        msg.set_x(x);
        msg.set_y(y);
        msg.set_z(z);
        out.publisher.Publish(msg);
      }
      else
      {
        msgs::EntityWrench msg;
        in >> name >> type >> x >> y;
        msg.mutable_entity()->set_name(name);
        msg.mutable_entity()->set_type(static_cast<msgs::Entity::Type>(type));
        msg.mutable_wrench()->mutable_force()->set_x(x);
        msg.mutable_wrench()->mutable_force()->set_y(y);
        if (out.kind == "wrench")
          out.publisher.Publish(msg);
        else
          out.publisher.Publish(msg.entity());
      }
    }
    else if (word == "control")
    {
      int pause{0}, steps{0}, sec{0}, nsec{0};
      in >> topic >> pause >> steps >> sec >> nsec;
      msgs::WorldControl request;
      request.set_pause(pause != 0);
      request.set_multi_step(steps);
      request.mutable_run_to_sim_time()->set_sec(sec);
      request.mutable_run_to_sim_time()->set_nsec(nsec);
      std::function<void(const msgs::Boolean &, const bool)> answered =
          [](const msgs::Boolean &_reply, const bool _result) { Say(_result && _reply.data() ? "c 1\n" : "c 0\n"); };
      node.Request(topic, request, answered);
    }
  }
  over = true;
  watcher.join();
  return 0;
}
