import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PICTURE, stubCanvas } from "../../../testing/canvas";
import { NO_INK, type Ink } from "./ink";
import { SigningForm, type Draft, type Signed } from "./signing-form";

beforeEach(() => void stubCanvas());
afterEach(() => {
  vi.unstubAllGlobals();
});

const TYPED: Ink = { ...NO_INK, mode: "type", typed: "Gil" };
const TICKED = "2026-07-01T10:00:00.000Z";
const READY: Draft = { name: " Gil Guest ", email: " gil@example.com ", ink: TYPED, consentedAt: TICKED };

function Form({
  draft: initial,
  onSign,
  locked = false,
}: {
  draft: Draft;
  onSign: (signed: Signed) => void;
  locked?: boolean;
}) {
  const [draft, setDraft] = useState(initial);
  return (
    <SigningForm
      draft={draft}
      onDraft={setDraft}
      onSign={onSign}
      locked={locked}
      problem=""
      consent="I agree to sign electronically."
    >
      <p>The words</p>
    </SigningForm>
  );
}

const button = () => screen.getByRole("button", { name: /^Sign/ });

test.each([
  ["name", { ...READY, name: "  " }, "Your Name"],
  ["email", { ...READY, email: " " }, "Your Email"],
  ["typed signature", { ...READY, ink: { ...TYPED, typed: " " } }, "Type"],
  ["drawn signature", { ...READY, ink: NO_INK }, "Draw"],
] as const)("SIGN-07 without a %s nothing is sent, and the place is shown", async (_, draft, focused) => {
  const onSign = vi.fn();
  render(<Form draft={draft} onSign={onSign} />);

  await userEvent.click(button());

  expect(screen.getByRole("alert")).toHaveTextContent("Name, email and signature are required.");
  expect(screen.getByLabelText(focused)).toHaveFocus();
  expect(onSign).not.toHaveBeenCalled();
});

test("SIGN-09 the pad one signs on is 600 by 200", () => {
  render(<Form draft={READY} onSign={vi.fn()} />);

  const paper = screen.getByRole("img", { name: /^Signature pad/ });
  expect(paper).toHaveStyle({ aspectRatio: "600 / 200" });
  expect(paper.parentElement).toHaveStyle({ maxWidth: "600px" });
});

test("the word of what is wrong belongs to its field, and goes when it is mended", async () => {
  render(<Form draft={{ ...READY, name: "" }} onSign={vi.fn()} />);
  await userEvent.click(button());
  const name = screen.getByLabelText("Your Name");
  expect(name).toBeInvalid();
  expect(name).toHaveAccessibleDescription("Name, email and signature are required.");
  expect(screen.getByLabelText("Your Email")).toBeValid();

  await userEvent.type(name, "G");

  expect(screen.getByRole("alert")).toBeEmptyDOMElement();
});

test("half an email address is noticed before it is sent", async () => {
  const onSign = vi.fn();
  render(<Form draft={{ ...READY, email: "gil@" }} onSign={onSign} />);

  await userEvent.click(button());

  expect(screen.getByRole("alert")).toHaveTextContent("This email address is not complete.");
  expect(onSign).not.toHaveBeenCalled();
});

test("what is signed is trimmed and carries the signature as a picture", async () => {
  const onSign = vi.fn();
  render(<Form draft={READY} onSign={onSign} />);

  await userEvent.click(button());

  expect(onSign).toHaveBeenCalledExactlyOnceWith({
    name: "Gil Guest",
    email: "gil@example.com",
    signature: PICTURE,
    strokes: { typed: "Gil" },
    consentedAt: TICKED,
  });
});

test("nobody signs electronically without having ticked the box themselves", async () => {
  const onSign = vi.fn();
  render(<Form draft={{ ...READY, consentedAt: "" }} onSign={onSign} />);
  const box = screen.getByRole("checkbox", { name: "I agree to sign electronically." });
  expect(box).not.toBeChecked();

  await userEvent.click(button());

  expect(screen.getByRole("alert")).toHaveTextContent("Please tick the box to sign electronically.");
  expect(box).toHaveFocus();
  expect(box).toHaveAccessibleDescription("Please tick the box to sign electronically.");
  expect(onSign).not.toHaveBeenCalled();

  await userEvent.click(box);
  await userEvent.click(button());

  expect(onSign).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ consentedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }),
  );
});

test("a box ticked by mistake can be taken back", async () => {
  const onSign = vi.fn();
  render(<Form draft={READY} onSign={onSign} />);

  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(button());

  expect(onSign).not.toHaveBeenCalled();
});

test("while it is being sent nothing can be changed or sent again", async () => {
  const onSign = vi.fn();
  render(<Form draft={READY} onSign={onSign} locked />);

  expect(button()).toHaveTextContent("Signing...");
  expect(screen.getByLabelText("Your Name")).toBeDisabled();
  await userEvent.click(button());

  expect(onSign).not.toHaveBeenCalled();
});
