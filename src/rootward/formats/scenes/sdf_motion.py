"""The scripted motions in an SDF world: the scripts of actors, and models that follow a trajectory.

An actor states the times of its waypoints, in seconds from the start of its script. It waits ``<delay_start>`` before
each cycle, begins again at the end unless ``<loop>`` is false, and stands still if ``<auto_start>`` is false, because
then a plugin would have to start it. The waypoints of all its trajectories form one motion, in the order of their
times. They are poses in the world, as in Gazebo classic. Gazebo smooths the path between them, with a spline.

A model with the plugin ``TrajectoryFollower`` is pushed from waypoint to waypoint. It has no times: how fast it moves
follows from forces, masses and friction. So its speed is guessed; the distances that follow from it are only hints.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from rootward.formats.documents.xml_tree import XmlElement
from rootward.formats.scenes.motion import Motion
from rootward.formats.scenes.scene import Pose
from rootward.formats.scenes.scene_file import number, numbers, parse_bool
from rootward.formats.scenes.sdf_shapes import pose_in

FOLLOWER_SPEED = 1.0
"""The guessed speed, in m/s, of a model that a plugin pushes along its waypoints."""
FOLLOWER_TURN = 1.0
"""The guessed rate, in rad/s, at which it turns towards the next waypoint."""
CIRCLE_POINTS = 24
"""Number of waypoints that stand for a circle."""
SHORTEST_LEG, LONGEST_LEG = 1e-6, 1e9
"""Waypoints nearer or further than this, in metres, are left out, and turns smaller than this, in radians."""
MAX_WAYPOINTS = 100_000
"""Maximum number of waypoints of one motion; more are left out."""


def motion_of(node: XmlElement, body: XmlElement | None, start: Pose) -> Motion | None:
    """Return the scripted motion of a model, an include or an actor. Returns None if it has none.

    ``body`` is the ``<model>`` in the included file, ``start`` the model's pose in the world.
    """
    if node.name == "actor":
        return _script_motion(node)
    plugins = chain(node.all("plugin"), body.all("plugin") if body is not None and body is not node else ())
    follower = next((plugin for plugin in plugins if _is_follower(plugin)), None)
    return None if follower is None else _follower_motion(follower, start)


def _script_motion(actor: XmlElement) -> Motion | None:
    script = actor.first("script")
    if script is None or not _flag(script, "auto_start"):
        return None
    delay = max(0.0, number(script.text_of("delay_start"), 0.0))
    marks = (mark for trajectory in script.all("trajectory") for mark in trajectory.all("waypoint"))
    stated = {max(0.0, number(mark.text_of("time"), 0.0)): pose_in(mark.first("pose")) for mark in marks}
    if not stated:
        return None
    waypoints = tuple((delay + time, stated[time]) for time in sorted(stated))
    return Motion(waypoints, repeat_from=0.0 if _flag(script, "loop") else None)


def _flag(script: XmlElement, name: str) -> bool:
    """Return a flag that is true if it is not stated."""
    return parse_bool(script.text_of(name) or "true")


def _is_follower(plugin: XmlElement) -> bool:
    return plugin.get("name").endswith("TrajectoryFollower") or "trajectory-follower" in plugin.get("filename")


def _follower_motion(plugin: XmlElement, start: Pose) -> Motion | None:
    goals = list(_goals(plugin, start))[:MAX_WAYPOINTS]
    if not goals:
        return None
    loops = parse_bool(plugin.text_of("loop"))
    waypoints: list[tuple[float, Pose]] = [(0.0, start)]
    first = 0
    for i, goal in enumerate([*goals, goals[0]] if loops else goals):
        waypoints += _leg(*waypoints[-1], goal)
        first = len(waypoints) - 1 if i == 0 else first
    return Motion(tuple(waypoints), repeat_from=waypoints[first][0] if loops else None, is_speed_guessed=True)


def _goals(plugin: XmlElement, start: Pose) -> Iterator[tuple[float, float]]:
    """Yield the points to go to. A line and a circle are relative to where the model starts."""
    line, circle = plugin.first("line"), plugin.first("circle")
    for mark in (mark for marks in plugin.all("waypoints") for mark in marks.all("waypoint")):
        if len(found := numbers(mark.words)) >= 2:
            yield found[0], found[1]
    if line is not None:
        away, ahead = number(line.text_of("length"), 0.0), number(line.text_of("direction"), 0.0)
        yield start.x + away * math.cos(ahead), start.y + away * math.sin(ahead)
        yield start.x, start.y
    if circle is not None:
        radius = number(circle.text_of("radius"), 0.0)
        turns = (math.tau * i / CIRCLE_POINTS for i in range(CIRCLE_POINTS))
        yield from ((start.x + radius * math.cos(turn), start.y + radius * math.sin(turn)) for turn in turns)


def _leg(time: float, here: Pose, goal: tuple[float, float]) -> Iterator[tuple[float, Pose]]:
    """Yield the waypoints of one leg: first the model turns towards the goal, then it goes there."""
    dx, dy = goal[0] - here.x, goal[1] - here.y
    away = math.hypot(dx, dy)
    if not SHORTEST_LEG < away < LONGEST_LEG:
        return
    turn = math.remainder(math.atan2(dy, dx) - here.yaw, math.tau)
    facing = Pose(*here.point, here.roll, here.pitch, here.yaw + turn)
    if abs(turn) > SHORTEST_LEG:
        time += abs(turn) / FOLLOWER_TURN
        yield time, facing
    yield time + away / FOLLOWER_SPEED, Pose(*goal, here.z, facing.roll, facing.pitch, facing.yaw)
