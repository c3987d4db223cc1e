import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { useQuery } from "@tanstack/react-query";
import { openFakeRealtime } from "~/../testing/realtime";
import { ROSA, serve, sessionOf, signInAs } from "~/../testing/server";
import { showRoutes } from "~/../testing/show";
import { useLiveUpdates } from "./use-live-updates";

let fetchCount = 0;

function OpenPage() {
  useLiveUpdates();
  const { data } = useQuery({ queryKey: ["waivers", "any"], queryFn: () => ++fetchCount });
  return <p>fetched {data} times</p>;
}

test("NOTIF-01 APP-12 NOTIF-04 RT-05 RT-11 an open page reports a signed waiver, and refetches when the connection opens and reopens", async () => {
  const realtime = openFakeRealtime();
  const rpc = "/rest/v1/rpc/enable_realtime_for_table";
  const requests = serve({ [`POST ${rpc}`]: { status: 204 } });
  signInAs(ROSA);
  const router = showRoutes([{ path: "*", element: <OpenPage /> }], "/dashboard");

  await waitFor(() => expect(realtime.joins()).toHaveLength(2));
  const [join] = realtime.joins();
  expect(join?.[2]).toBe("realtime:signed-waivers-changes");
  expect(join?.[4]).toMatchObject({
    access_token: sessionOf(ROSA).access_token,
    config: { postgres_changes: [{ event: "INSERT", schema: "public", table: "signed_waivers" }] },
  });
  expect(requests.find(({ path }) => path === rpc)?.body).toEqual({ table_name: "signed_waivers" });

  // A waiver may be signed between the first fetch and the opening of the connection, so the page fetches twice.
  expect(await screen.findByText("fetched 2 times")).toBeVisible();

  realtime.insert("realtime:signed-waivers-changes", "signed_waivers", {
    session_id: "s1",
    signer_name: "Gil",
    template_name: "River day",
  });

  expect(await screen.findByText("New Waiver Signed")).toBeVisible();
  expect(screen.getByText("Gil has signed a waiver: River day")).toBeVisible();
  expect(await screen.findByText("fetched 3 times")).toBeVisible();
  fireEvent.click(screen.getByRole("button", { name: "Open waiver" }));
  expect(router.state.location.pathname).toBe("/dashboard/waiver-management/s1");

  realtime.drop();

  await waitFor(() => expect(realtime.joins().length).toBeGreaterThanOrEqual(4), { timeout: 4000 });
  expect(await screen.findByText("fetched 4 times")).toBeVisible();
});
