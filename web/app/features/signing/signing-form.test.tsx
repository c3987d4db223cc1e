import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PICTURE, stubCanvas } from "../../../testing/canvas";
import { NO_SIGNATURE, type SignatureInput } from "./signature-input";
import { SigningForm, type Draft, type SubmittedSignature } from "./signing-form";

beforeEach(() => void stubCanvas());
afterEach(() => {
  vi.unstubAllGlobals();
});

const TYPED_SIGNATURE: SignatureInput = { ...NO_SIGNATURE, mode: "type", typed: "Gil" };
const CONSENTED_AT = "2026-07-01T10:00:00.000Z";
const COMPLETE_DRAFT: Draft = {
  name: " Gil Guest ",
  email: " gil@example.com ",
  signature: TYPED_SIGNATURE,
  consentedAt: CONSENTED_AT,
};

function Form({
  draft: initialDraft,
  onSign,
  isLocked = false,
}: {
  draft: Draft;
  onSign: (signature: SubmittedSignature) => void;
  isLocked?: boolean;
}) {
  const [draft, setDraft] = useState(initialDraft);
  return (
    <SigningForm
      draft={draft}
      onDraft={setDraft}
      onSign={onSign}
      isLocked={isLocked}
      problem=""
      consent="I agree to sign electronically."
    >
      <p>The waiver text</p>
    </SigningForm>
  );
}

const button = () => screen.getByRole("button", { name: /^Sign/ });

test.each([
  ["name", { ...COMPLETE_DRAFT, name: "  " }, "Your Name"],
  ["email", { ...COMPLETE_DRAFT, email: " " }, "Your Email"],
  ["typed signature", { ...COMPLETE_DRAFT, signature: { ...TYPED_SIGNATURE, typed: " " } }, "Type"],
  ["drawn signature", { ...COMPLETE_DRAFT, signature: NO_SIGNATURE }, "Draw"],
] as const)(
  "SIGN-07 without a %s nothing is sent, and the field gets the focus",
  async (_, draft, focusedLabel) => {
    const onSign = vi.fn();
    render(<Form draft={draft} onSign={onSign} />);

    await userEvent.click(button());

    expect(screen.getByRole("alert")).toHaveTextContent("Name, email and signature are required.");
    expect(screen.getByLabelText(focusedLabel)).toHaveFocus();
    expect(onSign).not.toHaveBeenCalled();
  },
);

test("SIGN-09 the pad of the signing form is 600 by 200", () => {
  render(<Form draft={COMPLETE_DRAFT} onSign={vi.fn()} />);

  const canvas = screen.getByRole("img", { name: /^Signature pad/ });
  expect(canvas).toHaveStyle({ aspectRatio: "600 / 200" });
  expect(canvas.parentElement).toHaveStyle({ maxWidth: "600px" });
});

test("an error describes its field and disappears when the field is edited", async () => {
  render(<Form draft={{ ...COMPLETE_DRAFT, name: "" }} onSign={vi.fn()} />);
  await userEvent.click(button());
  const name = screen.getByLabelText("Your Name");
  expect(name).toBeInvalid();
  expect(name).toHaveAccessibleDescription("Name, email and signature are required.");
  expect(screen.getByLabelText("Your Email")).toBeValid();

  await userEvent.type(name, "G");

  expect(screen.getByRole("alert")).toBeEmptyDOMElement();
});

test("an incomplete email address is rejected before it is sent", async () => {
  const onSign = vi.fn();
  render(<Form draft={{ ...COMPLETE_DRAFT, email: "gil@" }} onSign={onSign} />);

  await userEvent.click(button());

  expect(screen.getByRole("alert")).toHaveTextContent("This email address is not complete.");
  expect(onSign).not.toHaveBeenCalled();
});

test("the submitted values are trimmed and include the signature as a picture", async () => {
  const onSign = vi.fn();
  render(<Form draft={COMPLETE_DRAFT} onSign={onSign} />);

  await userEvent.click(button());

  expect(onSign).toHaveBeenCalledExactlyOnceWith({
    name: "Gil Guest",
    email: "gil@example.com",
    picture: PICTURE,
    strokes: { typed: "Gil" },
    consentedAt: CONSENTED_AT,
  });
});

test("signing requires that the guest ticks the consent box", async () => {
  const onSign = vi.fn();
  render(<Form draft={{ ...COMPLETE_DRAFT, consentedAt: "" }} onSign={onSign} />);
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

test("unticking the consent box prevents signing", async () => {
  const onSign = vi.fn();
  render(<Form draft={COMPLETE_DRAFT} onSign={onSign} />);

  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(button());

  expect(onSign).not.toHaveBeenCalled();
});

test("while the form is locked nothing can be changed or sent again", async () => {
  const onSign = vi.fn();
  render(<Form draft={COMPLETE_DRAFT} onSign={onSign} isLocked />);

  expect(button()).toHaveTextContent("Signing...");
  expect(screen.getByLabelText("Your Name")).toBeDisabled();
  await userEvent.click(button());

  expect(onSign).not.toHaveBeenCalled();
});
