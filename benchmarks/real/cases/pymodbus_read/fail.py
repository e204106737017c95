"""Answer the request of a client that reads registers."""

import asyncio
import json
import sys

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusSlaveContext
from pymodbus.pdu import ModbusExceptions
from pymodbus.register_read_message import ReadHoldingRegistersRequest


class IllegalAddress(Exception):
    """The client is told that there are no such registers."""


class IllegalValue(Exception):
    """The client is told that the number of registers is not allowed."""


def run(config: dict) -> None:
    registers = ModbusSequentialDataBlock(config["first"], [17] * config["registers"])
    device = ModbusSlaveContext(hr=registers, zero_mode=config["zero_mode"])
    request = ReadHoldingRegistersRequest(config["address"], config["count"], slave=config["slave"])
    response = asyncio.run(request.execute(device))
    if response.isError():
        code = response.exception_code
        raise IllegalAddress if code == ModbusExceptions.IllegalAddress else IllegalValue


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        run(json.load(file))
