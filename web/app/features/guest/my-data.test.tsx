import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { trackDownloads } from "~/../testing/downloads";
import { GIL, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { MyDataCard } from "./components/my-data-card";

const RIO = { company_id: "c1", company_name: "Rio Rafting", waiver_count: 2 };
const REQUEST = {
  id: "r1",
  company_id: "c1",
  company_name: "Rio Rafting",
  status: "open",
  requested_at: "2026-11-16T10:00:00Z",
  answer: null,
  answered_at: null,
};

function open(responses: Parameters<typeof serve>[0], companies: object[] = [], requests: object[] = []) {
  signInAs(GIL);
  const sent = serve({
    "POST /rest/v1/rpc/my_companies": { body: companies },
    "GET /rest/v1/erasure_requests": { body: requests },
    ...responses,
  });
  show(<MyDataCard />);
  return sent;
}

test("a guest downloads their data", async () => {
  const fileNames = trackDownloads();
  open({
    "POST /functions/v1/export-my-data": {
      body: new TextEncoder().encode("PK"),
      headers: { "content-type": "application/zip" },
    },
  });

  await userEvent.click(screen.getByRole("button", { name: "Download your data" }));

  expect(await screen.findByText("Downloaded")).toBeVisible();
  expect(fileNames).toEqual(["my data.zip"]);
});

test("a guest who downloads again too soon sees how long to wait", async () => {
  const error = "You have just downloaded your data. Please try again in 5 minutes.";
  open({ "POST /functions/v1/export-my-data": { status: 429, body: { error, code: "too_many_exports" } } });

  await userEvent.click(screen.getByRole("button", { name: "Download your data" }));

  expect(await screen.findByText(error)).toBeVisible();
});

test("a guest asks a company to erase what they signed", async () => {
  const requests = open({ "POST /rest/v1/rpc/request_erasure": { body: "r1" } }, [RIO]);

  expect(await screen.findByText("2 signed waivers")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Ask to erase" }));
  const dialog = await screen.findByRole("dialog", { name: "Ask to erase your waivers?" });
  expect(dialog).toHaveTextContent(
    "We will tell Rio Rafting that you want everything erased that you signed there.",
  );
  await userEvent.type(within(dialog).getByLabelText(/^Message to the company/), "I moved away.");
  await userEvent.click(within(dialog).getByRole("button", { name: "Ask to erase" }));

  expect(await screen.findByText("Request sent")).toBeVisible();
  const call = requests.find(({ path }) => path.endsWith("request_erasure"));
  expect(call?.body).toEqual({ company_id: "c1", note: "I moved away." });
});

test("a request that is not answered yet cannot be sent again", async () => {
  open({}, [RIO], [REQUEST]);

  expect(await screen.findByText(/^You asked on November 16, 2026/)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Ask to erase" })).toBeNull();
});

const ANSWERED = { ...REQUEST, answered_at: "2026-11-18T10:00:00Z" };

test("the newest answer is shown, and a refused request can be sent again", async () => {
  const older = { ...ANSWERED, id: "r0", status: "refused", answer: "An older answer" };
  open({}, [RIO], [{ ...ANSWERED, status: "refused", answer: "A claim is open" }, older]);

  expect(await screen.findByText("Not erased on November 18, 2026: A claim is open")).toBeVisible();
  expect(screen.getByRole("button", { name: "Ask to erase" })).toBeEnabled();
});

test("the answer of a company that has erased everything is still shown", async () => {
  open({}, [], [{ ...ANSWERED, status: "granted", answer: "As you wish" }]);

  expect(await screen.findByText("Erased on November 18, 2026: As you wish")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Ask to erase" })).toBeNull();
});

test("an error is shown if the companies cannot be loaded", async () => {
  open({ "POST /rest/v1/rpc/my_companies": { status: 404, body: { code: "none", message: "none" } } });

  expect(await screen.findByText("Your companies could not be loaded")).toBeVisible();
});
