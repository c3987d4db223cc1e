import { expect, test } from "vitest";
import { openAddress, sessionFragment } from "~/../testing/open-address";
import { accounts, GIL, ROSA, serve, sessionOf } from "~/../testing/server";
import { shownToast } from "~/ui/toast-store";
import { announceArrival } from "./announce-arrival";

const rosa = { ...accounts.rosa, "GET /auth/v1/user": { body: sessionOf(ROSA).user } };

test("ERR-03 coming back from Google with a refusal says so", async () => {
  openAddress("/dashboard?error=access_denied&error_code=x&error_description=The+person+said+no");

  expect(await announceArrival("/dashboard")).toBeNull();

  expect(shownToast()).toMatchObject({
    title: "Google sign in failed",
    description: "The person said no",
    destructive: true,
  });
});

test("a code from Google that this tab did not ask for opens nothing", async () => {
  const seen = serve({});
  openAddress("/dashboard?code=somebody-elses");

  await announceArrival("/dashboard");

  expect(shownToast()).toMatchObject({ title: "Google sign in failed", destructive: true });
  expect(seen).toEqual([]);
  expect(localStorage.getItem("sb-cairn-auth-token")).toBeNull();
});

test("the confirmed address is told, and the session of the link is in place", async () => {
  serve(rosa);
  openAddress(`/dashboard${sessionFragment(ROSA, "signup")}`);

  expect(await announceArrival("/dashboard")).toBeNull();

  expect(shownToast()?.title).toBe("Email confirmed");
  expect(JSON.parse(localStorage.getItem("sb-cairn-auth-token") ?? "{}").user.id).toBe(ROSA.id);
});

test("a mailed link that is used up is told as such", async () => {
  openAddress("/dashboard#error=access_denied&error_code=otp_expired&error_description=Too+late&sb=");

  await announceArrival("/dashboard");

  expect(shownToast()).toMatchObject({ title: "This link did not work", description: "Too late" });
});

test("a link that leads to the front page goes on to the person's home", async () => {
  serve({ ...accounts.gil, "GET /auth/v1/user": { body: sessionOf(GIL).user } });
  openAddress(`/${sessionFragment(GIL, "magiclink")}`);

  expect(await announceArrival("/")).toBe("/guest-dashboard");
});

test("what was told once is not told again", async () => {
  openAddress("/dashboard#message=Now+the+other+address&sb=");

  await announceArrival("/dashboard");
  expect(shownToast()?.description).toBe("Now the other address");

  expect(await announceArrival("/dashboard")).toBeNull();
});
