"""The fields of the contact form and the demo form become an inquiry, or each wrong field is reported."""

import pytest

from cairn.inquiries import FormIncomplete, Inquiry, Kind, parse_inquiry

COMPLETE_FIELDS = {
    "name": "Gil Okafor",
    "email": "gil@example.com",
    "company": "Rio Rafting",
    "message": "Do you ship paddles?",
}


def test_complete_fields_become_an_inquiry() -> None:
    inquiry = parse_inquiry(
        "contact", {**COMPLETE_FIELDS, "name": "  Gil \r\n Okafor ", "message": "One\r\n\r\nTwo\x00 ", "more": "x"}
    )

    assert inquiry == Inquiry("contact", "Gil Okafor", "gil@example.com", "Rio Rafting", "", "One\n\nTwo")


@pytest.mark.parametrize(
    ("kind", "fields", "problems"),
    [
        (
            "contact",
            {},
            {
                "name": "Please enter your name",
                "email": "Please enter your email",
                "message": "Please write your message",
            },
        ),
        ("contact", {**COMPLETE_FIELDS, "message": " \n "}, {"message": "Please write your message"}),
        ("contact", {**COMPLETE_FIELDS, "email": "gil"}, {"email": "Please enter an email address we can answer to"}),
        (
            "contact",
            {**COMPLETE_FIELDS, "email": "gil@a\n.com"},
            {"email": "Please enter an email address we can answer to"},
        ),
        ("contact", {**COMPLETE_FIELDS, "name": "x" * 201}, {"name": "Please use at most 200 characters"}),
        ("contact", {**COMPLETE_FIELDS, "message": "x" * 5001}, {"message": "Please use at most 5000 characters"}),
        ("demo", {**COMPLETE_FIELDS, "company": ""}, {"company": "Please enter the name of your business"}),
        ("demo", {**COMPLETE_FIELDS, "phone": "1" * 41}, {"phone": "Please use at most 40 characters"}),
    ],
)
def test_problems_are_reported_per_field(kind: Kind, fields: dict[str, str], problems: dict[str, str]) -> None:
    with pytest.raises(FormIncomplete) as error:
        parse_inquiry(kind, fields)

    assert error.value.fields == problems


def test_a_demo_request_needs_no_message() -> None:
    assert parse_inquiry("demo", {**COMPLETE_FIELDS, "message": ""}).message == ""
