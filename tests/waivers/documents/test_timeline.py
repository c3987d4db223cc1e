"""The timeline on the certificate shows the details of each event in one line.

8EL2 and 16L11 are findings in docs/security.md.
"""

import pytest

from cairn.waivers.documents.record import AuditEvent
from cairn.waivers.documents.timeline import timeline
from tests.waivers.documents.conftest import SIGNED_AT, MakeRecord


def test_8el2_the_name_of_a_device_cannot_look_like_several_details(make_record: MakeRecord) -> None:
    details = {"ip": "203.0.113.7", "user_agent": "A phone\u00a0· as company", "signer_name": "Marcel·la Puig"}
    event = AuditEvent(1, "waiver.signed", details, SIGNED_AT, None, "cd" * 32)

    [entry] = timeline(make_record(events=[event]))

    assert entry["details"] == "by Marcel·la Puig · IP 203.0.113.7 · A phone - as company · hash cdcdcdcdcdcdcdcd"


@pytest.mark.parametrize("dot", ["\u0387", "\u2219", "\u22c5", "\u30fb", "· ·", "··"])
def test_16l11_characters_like_a_middle_dot_do_not_separate_details(make_record: MakeRecord, dot: str) -> None:
    details = {"signer_name": f"{dot} Gil", "user_agent": f"A phone {dot} as company"}
    event = AuditEvent(1, "waiver.signed", details, SIGNED_AT, None, "cd" * 32)

    [entry] = timeline(make_record(events=[event]))

    assert entry["details"] == "by  - Gil · A phone - as company · hash cdcdcdcdcdcdcdcd"
