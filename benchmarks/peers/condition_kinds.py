"""Bugs of the kinds that control software has: bounds, overflows, ratios, angles, indices, flags, gates, NaN.

They are invented, each after a common mistake and with an engineer's constants; none is taken from a project. A line of
fields reads ``name:type[low,high]`` with the nominal range; the values follow in the same order.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from peers.conditions import Bug, Range, make_bug

FIELD = re.compile(r"(\w+):([\w:,-]+?)(?:\[([^,]+),([^]]+)\])?(?:\s|$)")

Line = tuple[str, str, list[Any], list[Any]]

ARITHMETIC: dict[str, Line] = {
    "area_overflow": (
        "width:int32[1,100000] height:int32[1,100000]",
        "width * height > 2147483647",
        [60000, 50000],
        [640, 480],
    ),
    "buffer_size": (
        "rows:uint16[0,1000] columns:uint16[0,1000] header:uint16[0,4096]",
        "rows * columns + header > 65535",
        [300, 300, 64],
        [100, 100, 64],
    ),
    "scaled_gain": ("gain:uint8[0,255] level:uint8[0,255]", "gain * level > 255", [40, 10], [4, 10]),
    "wrapped_sum": (
        "x:int16[0,32767] y:int16[0,32767]",
        "wrap(x + y, 16, True) < 0",
        [30000, 5000],
        [300, 50],
    ),
    "late_timer": ("now:int32[0,100000] last:int32[0,100000]", "now - last < 100", [1050, 1000], [5000, 1000]),
    "full_ring": ("head:uint8[0,255] tail:uint8[0,255]", "(head - tail) % 64 == 63", [70, 7], [10, 7]),
    "axle_load": (
        "front:uint16[0,3000] rear:uint16[0,3000] cargo:uint16[0,3000]",
        "front + rear + cargo > 3500",
        [1500, 1500, 1000],
        [1000, 1000, 200],
    ),
    "used_memory": ("total:uint32[0,1000000] used:uint32[0,1000000]", "used > total", [1000, 2000], [2000, 1000]),
    "no_triangle": (
        "a:float64[0,100] b:float64[0,100] c:float64[0,100]",
        "a + b <= c",
        [3.0, 4.0, 10.0],
        [3.0, 4.0, 5.0],
    ),
    "cast_to_int16": ("degrees:float32[-720,720]", "not -32768 <= degrees * 100 <= 32767", [400.0], [45.0]),
    "clock_step": ("t:float64[0,1e17]", "t + 0.05 == t", [1e16], [1000.0]),
    "unit_change": (
        "celsius:float32[-50,200] heater:bool",
        "celsius * 1.8 + 32 > 212 and heater",
        [150.0, True],
        [20.0, True],
    ),
    "climb_line": ("y:float64[-100,100] x:float64[-100,100]", "y > 2 * x + 10", [50.0, 3.0], [5.0, 3.0]),
}

GEOMETRY: dict[str, Line] = {
    "geofence": (
        "x:float32[-500,500] y:float32[-500,500] enabled:bool",
        "x * x + y * y > 90000 and enabled",
        [400.0, 100.0, True],
        [100.0, 100.0, True],
    ),
    "speed_vector": (
        "vx:float64[-30,30] vy:float64[-30,30] vz:float64[-30,30]",
        "vx * vx + vy * vy + vz * vz > 400",
        [20.0, 10.0, 0.0],
        [1.0, 2.0, 3.0],
    ),
    "heading_error": (
        "heading:float32[0,360] wanted:float32[0,360]",
        "abs(heading - wanted) > 180",
        [350.0, 10.0],
        [100.0, 90.0],
    ),
    "position": (
        "lat:float64[-100,100] lon:float64[-200,200]",
        "isnan(lat) or abs(lat) > 90 or abs(lon) > 180",
        [95.0, 10.0],
        [48.0, 11.0],
    ),
    "same_cell": ("x:float64[-20,20] y:float64[-20,20]", "trunc(x) == trunc(y)", [3.2, 3.7], [3.2, 8.1]),
    "brake_distance": (
        "speed:float64[0,50] distance:float64[0,200]",
        "speed * speed > 20.0 * distance",
        [40.0, 10.0],
        [10.0, 100.0],
    ),
    "time_to_impact": (
        "distance:float64[0,1000] closing:float64[-10,50]",
        "closing > 0 and div(distance, closing) < 2.5",
        [20.0, 15.0],
        [500.0, 15.0],
    ),
}

SENSORS: dict[str, Line] = {
    "spread_of_cells": (
        "meas_min:float64[0,10] meas_max:float64[0,10] target:float64[0,10]",
        "meas_min < 0.9 * meas_max or meas_max <= 0.8 * target",
        [3.0, 4.0, 4.0],
        [4.0, 4.1, 4.0],
    ),
    "weakest_cell": (
        "cell1:float32[2.5,4.3] cell2:float32[2.5,4.3] cell3:float32[2.5,4.3]",
        "min(cell1, cell2, cell3) < 3.3",
        [4.0, 3.1, 3.9],
        [4.0, 3.8, 3.9],
    ),
    "hottest_motor": (
        "left:int16[-40,150] right:int16[-40,150] fan:enum:off,auto,on",
        "max(left, right) >= 85 and fan == 'off'",
        [90, 40, "off"],
        [60, 40, "off"],
    ),
    "disagreement": (
        "a:float64[-50,50] b:float64[-50,50] c:float64[-50,50]",
        "abs(a - b) > 5 and abs(a - c) > 5",
        [20.0, 10.0, 11.0],
        [10.0, 10.5, 11.0],
    ),
    "low_voltage": ("voltage:float32[6,17]", "not voltage >= 10.5", [9.0], [12.0]),
    "overcharged": ("cells:uint8[1,12] voltage:float32[0,60]", "voltage > cells * 4.2", [4, 20.0], [4, 15.0]),
    "actuator_force": (
        "p_gain:float64[-50,50] error:float64[-50,50]",
        "abs(p_gain * error) > 500",
        [40.0, -20.0],
        [2.0, 3.0],
    ),
    "take_off": (
        "throttle:uint8[0,100] altitude:float32[-10,100] home:float32[-10,100]",
        "50 < throttle < 60 and altitude - home < 2",
        [55, 10.0, 9.0],
        [55, 30.0, 9.0],
    ),
}

DISCRETE: dict[str, Line] = {
    "each_minute": ("t:uint32[0,100000] logging:bool", "t % 60 == 0 and logging", [120, True], [121, True]),
    "last_sequence": ("sequence:uint32[0,10000]", "sequence % 256 == 255", [511], [10]),
    "flag_armed": ("flags:uint16[0,255] armed:bool", "flags & 4 != 0 and armed", [6, True], [3, True]),
    "register_field": ("register:uint16[0,65535]", "register >> 12 == 5", [0x5A00], [0x1234]),
    "own_address": (
        "source:uint8[0,255] target:uint8[0,255]",
        "source == target and source != 255",
        [17, 17],
        [17, 18],
    ),
    "two_windows": ("t:int16[0,100]", "10 <= t <= 20 or 50 <= t <= 60", [15], [30]),
    "percent": ("percent:int8[-20,120]", "not 0 <= percent <= 100", [110], [50]),
    "table_index": ("index:int16[-10,300] count:uint8[0,255]", "index < 0 or index >= count", [40, 32], [10, 32]),
    "return_home": (
        "mode:enum:manual,auto,guided,rtl,land fix:uint8[0,6] home_set:bool",
        "(mode == 'auto' or mode == 'rtl') and fix < 3 and not home_set",
        ["rtl", 2, False],
        ["land", 2, False],
    ),
    "interlock": (
        "pressure:float64[0,300] flow:float64[-20,20] stage:int32[0,9] retries:uint8[0,20] "
        "valve:enum:open,closed,stuck pump:bool door:bool remote:bool service:bool",
        "(pressure > 180 or flow < -2.5) and stage != 0 and retries >= 4 and valve == 'stuck' and pump and not door "
        "and remote and not service",
        [200.0, 0.0, 3, 6, "stuck", True, False, True, False],
        [100.0, 0.0, 3, 6, "stuck", True, False, True, False],
    ),
}


@cache
def kinds() -> tuple[Bug, ...]:
    """Return one bug of each kind."""
    lines = ARITHMETIC | GEOMETRY | SENSORS | DISCRETE
    return tuple(make_bug(name, read_fields(fields), *rest) for name, (fields, *rest) in lines.items())


def read_fields(line: str) -> list[tuple[str, str, Range | None]]:
    found = FIELD.findall(line)
    return [(name, kind, (float(low), float(high)) if low else None) for name, kind, low, high in found]
