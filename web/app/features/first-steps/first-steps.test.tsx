import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { queryClient } from "~/lib/query-client";
import { FirstSteps } from "./components/first-steps";
import { firstSteps } from "./model";

const NOTHING = { hasSent: false, hasSigned: false };
const responses = (progress: { isHidden?: boolean; hasTemplate?: boolean } = {}) => ({
  "GET /rest/v1/profiles": { body: { first_steps_hidden: progress.isHidden ?? false } },
  "GET /rest/v1/waiver_templates": { body: progress.hasTemplate ? [{ id: "tpl-1" }] : [] },
});
const list = () => screen.queryByRole("heading", { name: /First steps|All set/ });

beforeEach(() => signInAs(ROSA));

test.each([
  [{ hasTemplate: false, hasSent: false, hasSigned: false }, 1],
  [{ hasTemplate: true, hasSent: false, hasSigned: false }, 2],
  [{ hasTemplate: false, hasSent: true, hasSigned: false }, 3],
  [{ hasTemplate: true, hasSent: true, hasSigned: true }, 4],
])("with %o there are %i steps done", (progress, done) => {
  expect(firstSteps(progress).filter(({ isDone }) => isDone)).toHaveLength(done);
});

test("only the next step has a button, and only own templates count", async () => {
  const seen = serve(responses());
  show(<FirstSteps userId={ROSA.id} {...NOTHING} />);

  expect(await screen.findByText("1 of 4 done")).toBeVisible();
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/dashboard/waivers",
  ]);
  const templates = seen.find(({ path }) => path.endsWith("waiver_templates"));
  expect(templates?.query.get("company_id"), "samples do not count").toBe("not.is.null");
});

test.each([{ isHidden: true }, { hasTemplate: true }])("with %o the list is not shown", async (progress) => {
  const seen = serve(responses(progress));
  show(<FirstSteps userId={ROSA.id} hasSent hasSigned={!progress.isHidden} />);

  await waitFor(() => expect(seen).toHaveLength(2));
  await new Promise(requestAnimationFrame);
  expect(list()).toBeNull();
});

test("the space is reserved only if the list was shown last time", async () => {
  serve(responses());
  const first = show(<FirstSteps userId={ROSA.id} {...NOTHING} />);
  await screen.findByText("1 of 4 done");
  cleanup();
  queryClient.clear();
  first.dispose();

  show(<FirstSteps userId={ROSA.id} hasSent={undefined} hasSigned={undefined} />);
  expect(
    screen.getByText("1 of 4 done").closest("[inert]"),
    "hidden from users and screen readers",
  ).toHaveAttribute("aria-hidden");
  cleanup();
  localStorage.clear();
  show(<FirstSteps userId={ROSA.id} hasSent={undefined} hasSigned={undefined} />);
  expect(screen.queryByText("1 of 4 done")).toBeNull();
});

test("hiding the list removes it immediately and permanently", async () => {
  const seen = serve({ ...responses(), "PATCH /rest/v1/profiles": { status: 204 } });
  show(<FirstSteps userId={ROSA.id} {...NOTHING} />);

  await userEvent.click(await screen.findByRole("button", { name: "Put the first steps away" }));

  expect(list()).toBeNull();
  await waitFor(() => expect(seen.at(-1)?.body).toEqual({ first_steps_hidden: true }));
});

test("if hiding cannot be saved the list returns with the reason", async () => {
  serve({
    ...responses(),
    "PATCH /rest/v1/profiles": { status: 400, body: { code: "x", message: "Not now." } },
  });
  show(<FirstSteps userId={ROSA.id} {...NOTHING} />);

  await userEvent.click(await screen.findByRole("button", { name: "Put the first steps away" }));

  expect(await screen.findByText("Not now.")).toBeVisible();
  expect(screen.getByRole("region", { name: "First steps" })).toBeVisible();
});
