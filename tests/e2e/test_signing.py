"""Guests sign with mouse, touch and keyboard, on a rotated screen, after a reload and without a network."""

import json
import re

import pytest
from playwright.async_api import Page, ViewportSize, expect

from tests.e2e.conftest import PHONE, Deployment
from tests.e2e.fault_proxy import FaultProxy
from tests.e2e.guest import (
    StoredWaiver,
    click_sign,
    draw_with_mouse,
    draw_with_pen,
    enter_signer_details,
    expect_signed,
    open_new_session,
    signature_pad,
    signing_path,
    start_signing,
    stored_waivers,
    touch_input,
    zigzag,
)
from tests.e2e.keyboard import tab_to

LANDSCAPE_PHONE = ViewportSize(width=PHONE["height"], height=PHONE["width"])


def has_strokes_in(waiver: StoredWaiver, *ranges: tuple[int, int]) -> list[bool]:
    """Returns for each range of x positions whether the picture of the signature has strokes there."""
    return [waiver.has_dark_pixels_between(left, right) for left, right in ranges]


@pytest.mark.accept("SIGN-10")
async def test_a_signature_is_drawn_with_the_mouse_and_a_single_line_is_rejected(
    deployment: Deployment, desktop: Page
) -> None:
    session_id = await start_signing(deployment, desktop)
    await draw_with_mouse(desktop, [(0.1, 0.5), (0.5, 0.52), (0.9, 0.5)])
    await click_sign(desktop)
    await expect(desktop.get_by_role("alert")).to_have_text("Name, email and signature are required.")
    await desktop.get_by_role("button", name="Undo").click()
    await draw_with_mouse(desktop, zigzag(0.1, 0.4))
    await draw_with_mouse(desktop, zigzag(0.6, 0.9))

    await click_sign(desktop)
    await expect_signed(desktop)

    [waiver] = await stored_waivers(deployment, session_id)
    assert len(waiver.strokes) == 2
    assert waiver.picture.size == (600, 200)
    assert has_strokes_in(waiver, (0, 50), (60, 240), (250, 350), (360, 540)) == [False, True, False, True]


@pytest.mark.accept("SIGN-10")
async def test_a_signature_is_drawn_by_touch_while_the_phone_is_rotated(deployment: Deployment, phone: Page) -> None:
    session_id = await start_signing(deployment, phone)
    touch = await touch_input(phone)
    scroll_position = await phone.evaluate("scrollY")
    await touch.draw([(0.05, 0.1), (0.1, 0.9), (0.12, 0.1)])
    assert await phone.evaluate("scrollY") == scroll_position, "drawing downwards does not scroll the page"
    await touch.press(zigzag(0.2, 0.5))

    await phone.set_viewport_size(LANDSCAPE_PHONE)
    await expect(signature_pad(phone)).to_have_accessible_name(re.compile("Signature drawn, 2 strokes"))
    await touch.lift()
    await (await touch_input(phone)).draw(zigzag(0.6, 0.9))
    await phone.set_viewport_size(PHONE)
    await click_sign(phone)
    await expect_signed(phone)

    [waiver] = await stored_waivers(deployment, session_id)
    assert len(waiver.strokes) == 3
    ranges = [[min(point["x"] for point in stroke), max(point["x"] for point in stroke)] for stroke in waiver.strokes]
    assert ranges == [
        [pytest.approx(30, abs=6), pytest.approx(72, abs=6)],
        [pytest.approx(120, abs=6), pytest.approx(300, abs=30)],
        [pytest.approx(360, abs=6), pytest.approx(540, abs=6)],
    ]
    assert has_strokes_in(waiver, (35, 75), (125, 250), (365, 535)) == [True, True, True]


@pytest.mark.accept("SIGN-10")
async def test_a_pen_draws_a_black_round_line_that_is_two_pixels_wide(deployment: Deployment, desktop: Page) -> None:
    session_id = await open_new_session(deployment, desktop)
    await enter_signer_details(desktop)
    await desktop.evaluate("addEventListener('pointerdown', (event) => (window.pointerType = event.pointerType))")
    # A shape like a U. Where it is straight, the width of its line can be measured.
    steps = [step / 20 for step in range(21)]
    down, across = [(0.2, 0.2 + 0.6 * step) for step in steps], [(0.2 + 0.6 * step, 0.8) for step in steps]
    up = [(0.8, 0.8 - 0.6 * step) for step in steps]
    await draw_with_pen(desktop, [*down, *across, *up])
    assert await desktop.evaluate("window.pointerType") == "pen"
    async with desktop.expect_request("**/rest/v1/signed_waivers*") as signing:
        await click_sign(desktop)
    await expect_signed(desktop)

    signature = json.loads((await signing.value).post_data or "{}")["signature"]
    assert signature.startswith("data:image/png;base64,iVBORw0KGgo")
    [waiver] = await stored_waivers(deployment, session_id)
    red, green, blue = (channel.tobytes() for channel in waiver.picture.convert("RGB").split())
    assert red == green == blue
    assert (min(red), max(red)) == (0, 255), "a black line on white"
    widths = [line_width(waiver, (300, 100, 301, 200)), line_width(waiver, (60, 100, 180, 101))]
    # A round line is equally wide in each direction. Its edges are smooth, so its pixels are counted by their darkness.
    assert widths == [pytest.approx(2, abs=0.35), pytest.approx(2, abs=0.35)]


def line_width(waiver: StoredWaiver, box: tuple[int, int, int, int]) -> float:
    """Returns how many black pixels the line has where it crosses the box, which is one pixel wide or high."""
    return sum(255 - level for level in waiver.picture.convert("L").crop(box).tobytes()) / 255


async def test_a_waiver_is_signed_with_only_the_keyboard(deployment: Deployment, desktop: Page) -> None:
    session_id = await open_new_session(deployment, desktop)
    keyboard = desktop.keyboard
    await tab_to(desktop, "Your Name")
    await keyboard.type("Zoë Müller")
    await tab_to(desktop, "Your Email")
    await keyboard.type("zoe@example.com")
    await tab_to(desktop, "Draw")
    await keyboard.press("ArrowRight")
    await tab_to(desktop, "Type your name as your signature")
    await keyboard.type("Zoë M.")
    await expect(desktop.get_by_role("status").filter(has_text="Signed by typing: Zoë M..")).to_be_attached()
    await tab_to(desktop, "sign this waiver electronically")
    await keyboard.press("Space")
    await tab_to(desktop, "Sign Waiver")

    await keyboard.press("Enter")
    await expect_signed(desktop)

    [waiver] = await stored_waivers(deployment, session_id)
    assert waiver.name == "Zoë Müller"
    assert waiver.has_dark_pixels_between(150, 450)


@pytest.mark.accept("ROUTE-09")
async def test_a_signature_made_offline_is_stored_on_the_device_and_sent_once(
    deployment: Deployment, phone: Page
) -> None:
    session_id = await start_signing(deployment, phone)
    await (await touch_input(phone)).draw()
    await phone.context.set_offline(True)
    await click_sign(phone)
    await expect(phone.get_by_role("heading", name="No connection")).to_be_visible()
    await expect(phone.get_by_role("alert").filter(has_text="No connection")).to_contain_text(
        "Your signature is kept on this device and is sent as soon as the connection returns."
    )
    assert await stored_waivers(deployment, session_id) == []

    await phone.context.set_offline(False)
    await expect_signed(phone)
    # This tab is about to redirect, so the page is opened again in a second tab.
    second_tab = await phone.context.new_page()
    await second_tab.goto(signing_path(session_id))

    await expect(second_tab.get_by_role("heading", name="Waiver Already Signed")).to_be_visible()
    assert len(await stored_waivers(deployment, session_id)) == 1


async def test_a_reload_keeps_the_details_and_the_signature(deployment: Deployment, phone: Page) -> None:
    session_id = await start_signing(deployment, phone, "Gil García")
    await (await touch_input(phone)).draw()

    await phone.reload()

    await expect(phone.get_by_label("Your Name")).to_have_value("Gil García")
    await expect(phone.get_by_role("checkbox")).to_be_checked()
    await expect(signature_pad(phone)).to_have_accessible_name(re.compile("Signature drawn, 1 stroke"))
    await click_sign(phone)
    await expect_signed(phone)
    [waiver] = await stored_waivers(deployment, session_id)
    assert waiver.has_dark_pixels_between(60, 540)


async def test_a_lost_response_does_not_create_a_second_waiver(
    deployment: Deployment, proxy: FaultProxy, phone_behind_proxy: Page
) -> None:
    """The server stores the waiver, but the phone does not receive the response."""
    session_id = await start_signing(deployment, phone_behind_proxy)
    await (await touch_input(phone_behind_proxy)).draw()

    async with proxy.drop_responses("POST /rest/v1/signed_waivers"):
        await click_sign(phone_behind_proxy)
        await expect(phone_behind_proxy.get_by_role("heading", name="No connection")).to_be_visible()
        assert len(await stored_waivers(deployment, session_id)) == 1
    await phone_behind_proxy.get_by_role("button", name="Try now").click()
    await expect_signed(phone_behind_proxy)

    assert len(await stored_waivers(deployment, session_id)) == 1


# Some browsers return white pixels when a page reads a canvas, because websites recognize visitors by such pixels.
BLOCK_CANVAS = """
    const makeWhite = (picture) => (picture.data.fill(255), picture);
    const prototype = CanvasRenderingContext2D.prototype;
    const getImageData = prototype.getImageData;
    prototype.getImageData = function (...box) { return makeWhite(getImageData.apply(this, box)); };
    HTMLCanvasElement.prototype.toDataURL = () => "data:image/png;base64,iVBORw0KGgo=";
"""


async def test_a_browser_that_blocks_reading_the_canvas_can_still_draw(deployment: Deployment, desktop: Page) -> None:
    await desktop.add_init_script(BLOCK_CANVAS)
    session_id = await open_new_session(deployment, desktop)
    await expect(
        desktop.get_by_text("Typed signatures do not work in this browser. Please draw yours.")
    ).to_be_visible()
    await expect(desktop.get_by_role("radio", name="Type")).to_have_count(0)
    await enter_signer_details(desktop)
    await draw_with_mouse(desktop, zigzag(0.1, 0.4))

    await click_sign(desktop)
    await expect_signed(desktop)

    [waiver] = await stored_waivers(deployment, session_id)
    assert waiver.picture.size == (600, 200)
    assert has_strokes_in(waiver, (0, 50), (60, 240), (250, 600)) == [False, True, False]
