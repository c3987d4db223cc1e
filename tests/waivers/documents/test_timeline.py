"""The timeline on the certificate shows the details of each event in one line."""

from cairn.waivers.documents.record import AuditEvent
from cairn.waivers.documents.timeline import timeline
from tests.waivers.documents.conftest import SIGNED_AT, MakeRecord


def test_8el2_the_name_of_a_device_cannot_look_like_several_details(make_record: MakeRecord) -> None:
    details = {"ip": "203.0.113.7", "user_agent": "A phone\u00a0· as company", "signer_name": "Marcel·la Puig"}
    event = AuditEvent(1, "waiver.signed", details, SIGNED_AT, None, "cd" * 32)

    [entry] = timeline(make_record(events=[event]))

    assert entry["details"] == "by Marcel·la Puig · IP 203.0.113.7 · A phone - as company · hash cdcdcdcdcdcdcdcd"
