import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { ProfileForm } from "./profile-form";

const FACE = new File(["face"], "face.png", { type: "image/png" });
const OLD = `${ROSA.id}/old.png`;

beforeEach(() => {
  signInAs(ROSA);
  Object.assign(URL, { createObjectURL: () => "blob:face", revokeObjectURL: () => {} });
});

const shownPicture = () => document.querySelector("img")?.getAttribute("src");

/** Also accepts every request to the storage service. */
function serveWithStorage() {
  const seen = serve({ "PATCH /rest/v1/profiles": { status: 204 } });
  const stubbedFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await stubbedFetch(input, init);
    return seen.at(-1)?.path.startsWith("/storage/v1/object/") ? Response.json({}) : response;
  };
  return seen;
}

async function edit(account = rosa) {
  show(<ProfileForm account={account} />);
  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
}

test("PROF-08 the picture input accepts pictures only and rejects everything else", async () => {
  const seen = serve({});
  await edit();
  const input = screen.getByLabelText("Choose a picture");
  expect(input).toHaveAttribute("accept", "image/png,image/jpeg,image/webp,image/gif");

  const user = userEvent.setup({ applyAccept: false });
  await user.upload(input, new File(["<svg/>"], "me.svg", { type: "image/svg+xml" }));
  expect(screen.getByText("Please choose a picture: PNG, JPEG, WebP or GIF")).toBeVisible();
  await user.upload(input, new File([new Uint8Array(5_000_001)], "me.png", { type: "image/png" }));
  expect(screen.getByText("Please choose a picture of at most 5 MB")).toBeVisible();

  expect(shownPicture()).toBeUndefined();
  expect(seen).toEqual([]);
});

test("a chosen picture is previewed, stored under a new name, and the old one deleted", async () => {
  const seen = serveWithStorage();
  await edit({ ...rosa, profilePicture: OLD });
  expect(shownPicture()).toContain(`/storage/v1/render/image/public/profile-pictures/${OLD}?width=144`);

  await userEvent.upload(screen.getByLabelText("Choose a picture"), FACE);
  expect(shownPicture()).toBe("blob:face");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Your profile has been successfully updated.")).toBeVisible();
  const [stored, patched, removed] = seen;
  expect(stored?.path).toMatch(
    new RegExp(`^/storage/v1/object/profile-pictures/${ROSA.id}/[0-9a-f-]{36}\\.png$`),
  );
  expect(stored?.headers.get("content-type")).toBe("image/png");
  expect(patched?.body).toMatchObject({ profile_picture: stored?.path.split("profile-pictures/")[1] });
  expect([removed?.method, removed?.path]).toEqual(["DELETE", `/storage/v1/object/profile-pictures/${OLD}`]);
});

test("a picture can be removed, and Cancel restores it", async () => {
  const seen = serveWithStorage();
  await edit({ ...rosa, profilePicture: OLD });

  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(shownPicture()).toBeUndefined();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(shownPicture()).toContain(OLD);

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(seen[0]?.body).toMatchObject({ profile_picture: null }));
});

test("a picture that the server refuses changes nothing, and the reason is shown", async () => {
  const seen = serve({});
  await edit();
  await userEvent.upload(screen.getByLabelText("Choose a picture"), FACE);
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Update failed")).toBeVisible();
  expect(seen.map(({ method }) => method)).toEqual(["POST"]);
  expect(shownPicture()).toBe("blob:face");
});
