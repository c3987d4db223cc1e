import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { stubCanvas } from "~/../testing/canvas";
import {
  creations,
  echoId,
  guest,
  idIn,
  openInPersonPage,
  responses,
  template,
} from "~/../testing/in-person";
import { serve } from "~/../testing/server";

beforeEach(() => void stubCanvas());

test("APP-35 after the thanks, the next guest sees nothing of the previous one", async () => {
  const requests = serve({ ...responses, "POST /rest/v1/signed_waivers": echoId });
  const router = openInPersonPage();
  const firstId = (await screen.findByText(/Session \w{8}$/)).textContent;
  await guest.fillIn();
  await guest.sign();
  await screen.findByRole("heading", { name: "Thank you" });
  expect(screen.queryByText(/Gil/, { selector: "main *" })).toBeNull();

  // The page continues with the next guest by itself.
  expect(await screen.findByRole("button", { name: "Start signing" }, { timeout: 12_000 })).toBeVisible();
  expect(screen.getByText(/Session \w{8}$/).textContent).not.toBe(firstId);
  expect(router.state.location.search).toBe(`?sign=${template.id}`);
  await guest.start();
  expect(await screen.findByLabelText("Your Name")).toHaveValue("");
  expect(creations(requests)).toHaveLength(1);
}, 20_000);

test("APP-35 TPL-27 ERR-09 if the session is refused, the signing page of the template opens", async () => {
  const assign = vi.fn();
  vi.stubGlobal("location", { ...window.location, origin: window.location.origin, assign });
  serve({
    ...responses,
    "POST /rest/v1/waiver_sessions": { status: 403, body: { code: "42501", message: "no" } },
  });
  openInPersonPage();
  await guest.fillIn();
  await guest.sign();

  expect(await screen.findByText("Could not create waiver session. Please try again.")).toBeVisible();
  const url = "/waivers/sign/template-medical-emergency-authorization?company=c1";
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(url), { timeout: 4_000 });
  expect(JSON.parse(sessionStorage.getItem(`cairn-signing:${url}`) ?? "")).toMatchObject({
    draft: { name: "Gil Moreau", email: "gil@example.com", signature: { typed: "Gil" }, consentedAt: "" },
    unsent: null,
  });
});

test("APP-35 a retry does not create a second session, and an existing one is used", async () => {
  let failures = 1;
  const requests = serve({
    ...responses,
    "POST /rest/v1/waiver_sessions": { status: 409, body: { code: "23505", message: "duplicate key" } },
    "POST /rest/v1/signed_waivers": (request) =>
      failures-- > 0 ? { status: 409, body: { code: "PT409", message: "Not today." } } : echoId(request),
  });
  openInPersonPage();
  await guest.fillIn();
  await guest.sign();
  expect(await screen.findByText("Failed to store signed waiver: Not today.")).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "Sign Waiver" }));

  expect(await screen.findByRole("heading", { name: "Thank you" })).toBeVisible();
  expect(new Set(creations(requests).map(idIn)).size).toBe(1);
});

test("APP-35 once a guest has had the device, leaving needs the password", async () => {
  const requests = serve({
    ...responses,
    "POST /auth/v1/token": ({ body }) =>
      JSON.stringify(body).includes("a long walk")
        ? { body: { access_token: "new" } }
        : { status: 400, body: { code: "invalid_credentials", message: "Invalid login credentials" } },
    "POST /auth/v1/logout": { status: 204 },
  });
  const router = openInPersonPage();
  await guest.start();
  await userEvent.click(await screen.findByRole("button", { name: "Start over" }));
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();

  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave in-person signing?" });
  await userEvent.type(within(dialog).getByLabelText("Your password"), "a guess");
  await userEvent.click(within(dialog).getByRole("button", { name: "Leave" }));
  expect(await screen.findByText("This is not the password of this account")).toBeVisible();
  expect(router.state.location.search).toBe(`?sign=${template.id}`);
  expect(localStorage.getItem("inPersonSigning")).toBe(JSON.stringify(template.id));

  await userEvent.clear(within(dialog).getByLabelText("Your password"));
  await userEvent.type(within(dialog).getByLabelText("Your password"), "a long walk{Enter}");

  await waitFor(() => expect(router.state.location.search).toBe(""));
  expect(localStorage.getItem("inPersonSigning")).toBe("null");
  // Checking the password starts a new session, which is ended again.
  const logout = requests.find(({ path }) => path === "/auth/v1/logout");
  expect(logout?.headers.get("authorization")).toBe("Bearer new");
});

test("APP-35 a guest cannot leave from a waiver that cannot be signed", async () => {
  localStorage.setItem("inPersonSigning", JSON.stringify(template.id));
  serve(responses);
  const router = openInPersonPage("tpl-unknown");

  expect(await screen.findByText("Could not find the waiver template for this session.")).toBeVisible();
  expect(screen.getByText(/^This waiver cannot be signed here\./)).toBeVisible();
  expect(router.state.location.search).toBe("?sign=tpl-unknown");
  expect(screen.getByRole("button", { name: "Leave" })).toBeVisible();
  localStorage.removeItem("inPersonSigning");
});

test("APP-35 someone without the password can sign out on the device", async () => {
  serve({ ...responses, "POST /auth/v1/logout": { status: 204 } });
  const router = openInPersonPage();
  await guest.start();
  await userEvent.click(await screen.findByRole("button", { name: "Start over" }));
  await userEvent.click(await screen.findByRole("button", { name: "Leave" }));
  await userEvent.click(await screen.findByRole("button", { name: "Sign out" }));

  await waitFor(() => expect(router.state.location.pathname).toBe("/signin"));
  expect(localStorage.getItem("inPersonSigning")).toBeNull();
});
