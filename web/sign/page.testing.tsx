import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, vi } from "vitest";
import { stubCanvas } from "../testing/canvas";
import { hasStoredSession, openCompanySession } from "./company-session";
import { functionCaller } from "./functions";
import { FormBody } from "./form-body";
import { Page } from "./page";
import { restClient, type RestRequest } from "./rest";
import { CONSENT, FakeServer, SESSION, TEMPLATE } from "./fake-server.testing";
import { TextBody } from "./text-body";
import { parseInlined } from "./waiver";

/** Each test gets a new fake server. */
export let server: FakeServer;

/** The page calls this to open the front page, or in a frame to load itself again. */
export const leave = vi.fn();

/** Sets up every test in a file. Call it once at the top of the file. */
export function setUpEachTest(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date("2026-07-01T10:00:00Z") });
    stubCanvas();
    server = new FakeServer();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    leave.mockReset();
  });
}

export const advance = (milliseconds = 0) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
export const heading = (name: string) => screen.queryByRole("heading", { name });

/** Opens the page with the data that the server would write into it. */
export async function open(
  inlined: object,
  path = `/waivers/sign/session/${SESSION.id}`,
  request: RestRequest = restClient("anon"),
) {
  history.replaceState(null, "", path);
  const inlinedLookup = parseInlined(JSON.stringify(inlined));
  const hasForm = inlinedLookup.kind === "waiver" && inlinedLookup.waiver.form !== null;
  const page = render(
    <Page
      request={request}
      callFunction={functionCaller("anon")}
      loadCompanySession={hasStoredSession() ? () => openCompanySession("anon") : null}
      inlinedLookup={inlinedLookup}
      leave={leave}
      body={hasForm ? FormBody : TextBody}
    />,
  );
  await advance();
  return page;
}

/** Opens the page of a session. `columns` replace columns of the row SESSION. */
export const openSession = (columns: object = {}) =>
  open({ kind: "session", session: { ...SESSION, ...columns }, consent: CONSENT });

export const openTemplate = (company: string | null = null) =>
  open(
    { kind: "template", template: TEMPLATE, company_name: "Rio Rafting", company, consent: CONSENT },
    "/waivers/sign/tpl-river",
  );

export function fillIn(label: string, value: string) {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
}

/** Fills in the form with a typed signature, ticks the box if there is one, and clicks the button. */
export async function sign({ name = "Gil Guest", email = "gil@example.com", typedSignature = "Gil" } = {}) {
  fillIn("Your Name", name);
  fillIn("Your Email", email);
  fireEvent.click(screen.getByLabelText("Type"));
  fillIn("Type your name as your signature", typedSignature);
  const box = screen.queryByRole<HTMLInputElement>("checkbox");
  if (box && !box.checked) fireEvent.click(box);
  fireEvent.click(screen.getByRole("button", { name: "Sign Waiver" }));
  await advance();
}

export const waiverText = () => screen.getByRole("region", { name: "Waiver text" });
