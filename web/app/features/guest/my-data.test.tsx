import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { trackDownloads } from "~/../testing/downloads";
import { GIL, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { MyDataCard } from "./components/my-data-card";

function open(response: Parameters<typeof serve>[0][string]) {
  signInAs(GIL);
  serve({ "POST /functions/v1/export-my-data": response });
  show(<MyDataCard />);
}

test("a guest downloads their data", async () => {
  const fileNames = trackDownloads();
  open({ body: new TextEncoder().encode("PK"), headers: { "content-type": "application/zip" } });

  await userEvent.click(screen.getByRole("button", { name: "Download your data" }));

  expect(await screen.findByText("Downloaded")).toBeVisible();
  expect(fileNames).toEqual(["my data.zip"]);
});

test("a guest who has to wait is informed for how long", async () => {
  const error = "You have just downloaded your data. Please try again in 5 minutes.";
  open({ status: 429, body: { error, code: "too_many_exports" } });

  await userEvent.click(screen.getByRole("button", { name: "Download your data" }));

  expect(await screen.findByText(error)).toBeVisible();
});
