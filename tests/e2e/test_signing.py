"""Signing by every hand: mouse, finger, keyboard; with the screen turned, the page reloaded, the network gone."""

import re

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.e2e.conftest import PHONE, Place
from tests.e2e.guest import (
    a_session,
    draw_with_mouse,
    fill_in,
    finger,
    link,
    pad,
    press_sign,
    see_it_stored,
    stored,
    wave,
)
from tests.e2e.line import Line

SIDEWAYS = ViewportSize(width=PHONE["height"], height=PHONE["width"])


@pytest.mark.accept("SIGN-10")
async def test_a_mouse_draws_and_a_slip_of_it_is_no_signature(place: Place, desktop: Page) -> None:
    session = await a_session(place)
    await desktop.goto(link(session))
    await fill_in(desktop)
    await draw_with_mouse(desktop, [(0.1, 0.5), (0.5, 0.52), (0.9, 0.5)])
    await press_sign(desktop)
    await expect(desktop.get_by_role("alert")).to_have_text("Name, email and signature are required.")
    await desktop.get_by_role("button", name="Undo").click()
    await draw_with_mouse(desktop, wave(0.1, 0.4))
    await draw_with_mouse(desktop, wave(0.6, 0.9))

    await press_sign(desktop)
    await see_it_stored(desktop)

    [waiver] = await stored(place, session)
    assert len(waiver.strokes) == 2
    assert waiver.picture.size == (600, 200)
    assert [waiver.inked(*part) for part in ((0, 50), (60, 240), (250, 350), (360, 540))] == [False, True, False, True]


@pytest.mark.accept("SIGN-10")
async def test_a_finger_draws_turns_the_phone_in_the_middle_and_goes_on(place: Place, phone: Page) -> None:
    session = await a_session(place)
    await phone.goto(link(session))
    await fill_in(phone)
    hand = await finger(phone)
    scrolled = await phone.evaluate("scrollY")
    await hand.draw([(0.05, 0.1), (0.1, 0.9), (0.12, 0.1)])
    assert await phone.evaluate("scrollY") == scrolled, "drawing downwards does not move the page"
    await hand.press(wave(0.2, 0.5))

    await phone.set_viewport_size(SIDEWAYS)
    await expect(pad(phone)).to_have_accessible_name(re.compile("Signature drawn, 2 strokes"))
    await hand.lift()
    await (await finger(phone)).draw(wave(0.6, 0.9))
    await phone.set_viewport_size(PHONE)
    await press_sign(phone)
    await see_it_stored(phone)

    [waiver] = await stored(place, session)
    assert len(waiver.strokes) == 3
    places = [[min(dot["x"] for dot in stroke), max(dot["x"] for dot in stroke)] for stroke in waiver.strokes]
    assert places == [
        [pytest.approx(30, abs=6), pytest.approx(72, abs=6)],
        [pytest.approx(120, abs=6), pytest.approx(300, abs=30)],
        [pytest.approx(360, abs=6), pytest.approx(540, abs=6)],
    ]
    assert [waiver.inked(*part) for part in ((35, 75), (125, 250), (365, 535))] == [True, True, True]


async def test_a_keyboard_alone_is_enough(place: Place, desktop: Page) -> None:
    session = await a_session(place)
    await desktop.goto(link(session))
    keys = desktop.keyboard
    await tab_to(desktop, "Your Name")
    await keys.type("Zoë Müller")
    await tab_to(desktop, "Your Email")
    await keys.type("zoe@example.com")
    await tab_to(desktop, "Draw")
    await keys.press("ArrowRight")
    await tab_to(desktop, "Type your name as your signature")
    await keys.type("Zoë M.")
    await expect(desktop.get_by_role("status").filter(has_text="Signed by typing: Zoë M..")).to_be_attached()
    await tab_to(desktop, "sign this waiver electronically")
    await keys.press("Space")
    await tab_to(desktop, "Sign Waiver")

    await keys.press("Enter")
    await see_it_stored(desktop)

    [waiver] = await stored(place, session)
    assert waiver.name == "Zoë Müller"
    assert waiver.inked(150, 450)


async def tab_to(page: Page, label: str) -> None:
    """Tab until the thing of that name has the focus, as somebody does who sees only where the focus is."""
    for _ in range(12):
        await page.keyboard.press("Tab")
        focused = await page.evaluate(
            "() => { const e = document.activeElement; return (e.closest('label') ?? e).textContent }"
        )
        if label in focused:
            return
    raise AssertionError(f"the keyboard does not reach {label!r}")


@pytest.mark.accept("ROUTE-09")
async def test_signed_without_a_network_it_is_kept_said_and_sent_once(place: Place, phone: Page) -> None:
    session = await a_session(place)
    await phone.goto(link(session))
    await fill_in(phone)
    await (await finger(phone)).draw(wave(0.1, 0.9))
    await phone.context.set_offline(True)
    await press_sign(phone)
    await expect(phone.get_by_role("heading", name="No connection")).to_be_visible()
    await expect(phone.get_by_role("alert").filter(has_text="No connection")).to_contain_text(
        "Your signature is kept on this device and is sent as soon as the connection returns."
    )
    assert await stored(place, session) == []

    await phone.context.set_offline(False)
    await see_it_stored(phone)
    # The page is about to leave by itself; two ways at once would cross.
    again = await phone.context.new_page()
    await again.goto(link(session))

    await expect(again.get_by_role("heading", name="Waiver Already Signed")).to_be_visible()
    assert len(await stored(place, session)) == 1


async def test_a_reload_in_the_middle_loses_nothing(place: Place, phone: Page) -> None:
    session = await a_session(place)
    await phone.goto(link(session))
    await fill_in(phone, "Gil García")
    await (await finger(phone)).draw(wave(0.1, 0.9))

    await phone.reload()

    await expect(phone.get_by_label("Your Name")).to_have_value("Gil García")
    await expect(phone.get_by_role("checkbox")).to_be_checked()
    await expect(pad(phone)).to_have_accessible_name(re.compile("Signature drawn, 1 stroke"))
    await press_sign(phone)
    await see_it_stored(phone)
    [waiver] = await stored(place, session)
    assert waiver.inked(60, 540)


async def test_an_answer_lost_on_the_way_does_not_make_two_waivers(place: Place, line: Line, far_phone: Page) -> None:
    """The server has stored it; the phone was in a tunnel when it said so."""
    session = await a_session(place)
    await far_phone.goto(link(session))
    await fill_in(far_phone)
    await (await finger(far_phone)).draw(wave(0.1, 0.9))

    async with line.losing_answers("POST /rest/v1/signed_waivers"):
        await press_sign(far_phone)
        await expect(far_phone.get_by_role("heading", name="No connection")).to_be_visible()
        assert len(await stored(place, session)) == 1
    await far_phone.get_by_role("button", name="Try now").click()
    await see_it_stored(far_phone)

    assert len(await stored(place, session)) == 1


WHITE = """
    const white = (picture) => (picture.data.fill(255), picture);
    const read = CanvasRenderingContext2D.prototype.getImageData;
    CanvasRenderingContext2D.prototype.getImageData = function (...box) { return white(read.apply(this, box)); };
    HTMLCanvasElement.prototype.toDataURL = () => "data:image/png;base64,iVBORw0KGgo=";
"""


async def test_a_browser_that_hides_its_canvas_still_signs_by_hand(place: Place, desktop: Page) -> None:
    await desktop.add_init_script(WHITE)
    session = await a_session(place)
    await desktop.goto(link(session))
    await expect(
        desktop.get_by_text("Typed signatures do not work in this browser. Please draw yours.")
    ).to_be_visible()
    await expect(desktop.get_by_role("radio", name="Type")).to_have_count(0)
    await fill_in(desktop)
    await draw_with_mouse(desktop, wave(0.1, 0.4))

    await press_sign(desktop)
    await see_it_stored(desktop)

    [waiver] = await stored(place, session)
    assert waiver.picture.size == (600, 200)
    assert [waiver.inked(*part) for part in ((0, 50), (60, 240), (250, 600))] == [False, True, False]
