import { act, fireEvent, render, screen } from "@testing-library/react";
import { vi } from "vitest";
import { findDesk, isSomebodyHere } from "./account";
import { functions } from "./functions";
import { Page } from "./page";
import { connect, type Ask } from "./rest";
import { CONSENT, SESSION, TEMPLATE } from "./service.testing";
import { inlined } from "./waiver";

export const pass = (time = 0) => act(() => vi.advanceTimersByTimeAsync(time));
export const heading = (name: string) => screen.queryByRole("heading", { name });

/** Where the page went when it was done. */
export const leave = vi.fn();

export async function open(
  found: object,
  address = `/waivers/sign/session/${SESSION.id}`,
  ask: Ask = connect("anon"),
) {
  history.replaceState(null, "", address);
  const page = render(
    <Page
      ask={ask}
      call={functions("anon")}
      desk={isSomebodyHere() ? () => findDesk("anon") : null}
      found={inlined(JSON.stringify(found))}
      leave={leave}
    />,
  );
  await pass();
  return page;
}

export const openSession = (part: object = {}) =>
  open({ kind: "session", session: { ...SESSION, ...part }, consent: CONSENT });

export const openTemplate = (company: string | null = null) =>
  open(
    { kind: "template", template: TEMPLATE, company_name: "Rio Rafting", company, consent: CONSENT },
    "/waivers/sign/tpl-river",
  );

export function fillIn(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

export async function sign({ name = "Gil Guest", email = "gil@example.com", typed = "Gil" } = {}) {
  fillIn("Your Name", name);
  fillIn("Your Email", email);
  fireEvent.click(screen.getByLabelText("Type"));
  fillIn("Type your name as your signature", typed);
  const box = screen.queryByRole<HTMLInputElement>("checkbox");
  if (box && !box.checked) fireEvent.click(box);
  fireEvent.click(screen.getByRole("button", { name: "Sign Waiver" }));
  await pass();
}
