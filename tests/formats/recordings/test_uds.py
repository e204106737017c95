"""The first bytes of UDS messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rootward.formats.recordings.uds import SERVICES, decode_request, decode_response


@pytest.mark.parametrize(
    ("data", "operation", "payload"),
    [
        ("1003", "DiagnosticSessionControl", "03"),
        ("3E80", "TesterPresent", "80"),
        ("22f190", "ReadDataByIdentifier", "F190"),
        ("37", "RequestTransferExit", ""),
        ("BA01", "0xBA", "01"),
        ("7F2233", "0x7F", "2233"),
    ],
)
def test_a_request_names_its_service(data, operation, payload):
    assert decode_request(bytes.fromhex(data)) == (operation, payload, False)


@pytest.mark.parametrize(
    ("data", "operation", "payload", "negative"),
    [
        ("5003003201F4", "DiagnosticSessionControl", "03003201F4", False),
        ("7F2E33", "WriteDataByIdentifier", "NRC 33", True),
        ("7FBA11", "0xBA", "NRC 11", True),
        ("7F2E33AA", "WriteDataByIdentifier", "NRC 33AA", True),
        ("77", "RequestTransferExit", "", False),
        ("FA01", "0xBA", "01", False),
        ("C502", "ControlDTCSetting", "02", False),
        ("7F", "0x7F", "", False),
        ("7F22", "0x7F", "22", False),
        ("1003", "0x10", "03", False),
    ],
)
def test_a_response_names_the_service_that_it_answers(data, operation, payload, negative):
    assert decode_response(bytes.fromhex(data)) == (operation, payload, negative)


@given(st.sampled_from(sorted(SERVICES)), st.binary(max_size=20))
def test_the_three_kinds_of_messages_about_a_service_have_one_name(service, rest):
    names = {
        decode_request(bytes([service]) + rest).operation,
        decode_response(bytes([service + 0x40]) + rest).operation,
        decode_response(bytes([0x7F, service, 0x10])).operation,
    }
    assert names == {SERVICES[service]}


@given(st.binary(min_size=1, max_size=40))
def test_no_byte_is_lost(data):
    operation, payload, _ = decode_request(data)
    assert bytes.fromhex(payload) == data[1:]
    assert operation == SERVICES.get(data[0], f"0x{data[0]:02X}")
    assert "".join(decode_response(data).payload.split()).endswith(data[3:].hex().upper())
