import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { queryClient } from "~/lib/query-client";
import { FirstSteps } from "./components/first-steps";
import { firstSteps } from "./model";

const NOTHING_SENT = { hasSent: false, hasSigned: false };
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
])("with the progress %o, %i steps are done", (progress, doneCount) => {
  expect(firstSteps(progress).filter(({ isDone }) => isDone)).toHaveLength(doneCount);
});

test("only the next step has a button, and samples do not count as templates", async () => {
  const requests = serve(responses());
  show(<FirstSteps userId={ROSA.id} {...NOTHING_SENT} />);

  expect(await screen.findByText("1 of 4 done")).toBeVisible();
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/dashboard/waivers",
  ]);
  const templates = requests.find(({ path }) => path.endsWith("waiver_templates"));
  expect(templates?.query.get("company_id"), "samples do not count").toBe("not.is.null");
});

test.each([
  ["the user has hidden it", { isHidden: true }, { hasSent: true, hasSigned: false }],
  ["every step is done", { hasTemplate: true }, { hasSent: true, hasSigned: true }],
])("the list is not shown if %s", async (_, progress, sentAndSigned) => {
  const requests = serve(responses(progress));
  show(<FirstSteps userId={ROSA.id} {...sentAndSigned} />);

  await waitFor(() => expect(requests).toHaveLength(2));
  await new Promise(requestAnimationFrame);
  expect(list()).toBeNull();
});

test("the space of the list is reserved only if the list was shown last time", async () => {
  serve(responses());
  const firstRouter = show(<FirstSteps userId={ROSA.id} {...NOTHING_SENT} />);
  await screen.findByText("1 of 4 done");
  cleanup();
  queryClient.clear();
  firstRouter.dispose();

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
  const requests = serve({ ...responses(), "PATCH /rest/v1/profiles": { status: 204 } });
  show(<FirstSteps userId={ROSA.id} {...NOTHING_SENT} />);

  await userEvent.click(await screen.findByRole("button", { name: "Put the first steps away" }));

  expect(list()).toBeNull();
  await waitFor(() => expect(requests.at(-1)?.body).toEqual({ first_steps_hidden: true }));
});

test("if hiding the list cannot be saved, the list is shown again with the reason", async () => {
  serve({
    ...responses(),
    "PATCH /rest/v1/profiles": { status: 400, body: { code: "x", message: "Not now." } },
  });
  show(<FirstSteps userId={ROSA.id} {...NOTHING_SENT} />);

  await userEvent.click(await screen.findByRole("button", { name: "Put the first steps away" }));

  expect(await screen.findByText("Not now.")).toBeVisible();
  expect(screen.getByRole("region", { name: "First steps" })).toBeVisible();
});
