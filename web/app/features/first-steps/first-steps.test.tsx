import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { queryClient } from "~/lib/query-client";
import { FirstSteps } from "./components/first-steps";
import { stepsOf } from "./model";

const NOTHING = { hasSent: false, hasSigned: false };
const answers = (facts: { isHidden?: boolean; hasTemplate?: boolean } = {}) => ({
  "GET /rest/v1/profiles": { body: { first_steps_hidden: facts.isHidden ?? false } },
  "GET /rest/v1/waiver_templates": { body: facts.hasTemplate ? [{ id: "tpl-1" }] : [] },
});
const list = () => screen.queryByRole("heading", { name: /First steps|All set/ });

beforeEach(() => signInAs(ROSA));

test.each([
  [{ hasTemplate: false, hasSent: false, hasSigned: false }, 1],
  [{ hasTemplate: true, hasSent: false, hasSigned: false }, 2],
  [{ hasTemplate: false, hasSent: true, hasSigned: false }, 3],
  [{ hasTemplate: true, hasSent: true, hasSigned: true }, 4],
])("with %o there are %i steps done", (facts, done) => {
  expect(stepsOf(facts).filter(({ isDone }) => isDone)).toHaveLength(done);
});

test("the next step has the only button; a template of one's own is one with a company", async () => {
  const seen = serve(answers());
  show(<FirstSteps personId={ROSA.id} {...NOTHING} />);

  expect(await screen.findByText("1 of 4 done")).toBeVisible();
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/dashboard/waivers",
  ]);
  const templates = seen.find(({ path }) => path.endsWith("waiver_templates"));
  expect(templates?.query.get("company_id"), "samples are nobody's work").toBe("not.is.null");
});

test.each([{ isHidden: true }, { hasTemplate: true }])("with %o nobody is bothered", async (facts) => {
  const seen = serve(answers(facts));
  show(<FirstSteps personId={ROSA.id} hasSent hasSigned={!facts.isHidden} />);

  await waitFor(() => expect(seen).toHaveLength(2));
  await new Promise(requestAnimationFrame);
  expect(list()).toBeNull();
});

test("where it stood last time its place is kept until it is there, and nowhere else", async () => {
  serve(answers());
  const first = show(<FirstSteps personId={ROSA.id} {...NOTHING} />);
  await screen.findByText("1 of 4 done");
  cleanup();
  queryClient.clear();
  first.dispose();

  show(<FirstSteps personId={ROSA.id} hasSent={undefined} hasSigned={undefined} />);
  expect(screen.getByText("1 of 4 done").closest("[inert]"), "nobody hears or presses it").toHaveAttribute(
    "aria-hidden",
  );
  cleanup();
  localStorage.clear();
  show(<FirstSteps personId={ROSA.id} hasSent={undefined} hasSigned={undefined} />);
  expect(screen.queryByText("1 of 4 done")).toBeNull();
});

test("put away, it is gone at once and for good", async () => {
  const seen = serve({ ...answers(), "PATCH /rest/v1/profiles": { status: 204 } });
  show(<FirstSteps personId={ROSA.id} {...NOTHING} />);

  await userEvent.click(await screen.findByRole("button", { name: "Put the first steps away" }));

  expect(list()).toBeNull();
  await waitFor(() => expect(seen.at(-1)?.body).toEqual({ first_steps_hidden: true }));
});

test("when the server could not be told the list comes back, and says why", async () => {
  serve({
    ...answers(),
    "PATCH /rest/v1/profiles": { status: 400, body: { code: "x", message: "Not now." } },
  });
  show(<FirstSteps personId={ROSA.id} {...NOTHING} />);

  await userEvent.click(await screen.findByRole("button", { name: "Put the first steps away" }));

  expect(await screen.findByText("Not now.")).toBeVisible();
  expect(screen.getByRole("region", { name: "First steps" })).toBeVisible();
});
