from pathlib import Path

from tests.refusals import listed_refusals


def test_every_refusal_of_trips_is_tested() -> None:
    sources = "".join(file.read_text("utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    codes = [refusal.code for refusal in listed_refusals() if refusal.package == "trips"]

    assert len(codes) > 20
    assert [code for code in codes if code not in sources] == []
