import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { rosa } from "~/../testing/company";
import { ROSA, serve, signInAs } from "~/../testing/server";
import { show } from "~/../testing/show";
import { ProfileForm } from "./profile-form";

const PNG_FILE = new File(["face"], "face.png", { type: "image/png" });
const OLD_PICTURE = `${ROSA.id}/old.png`;

beforeEach(() => {
  signInAs(ROSA);
  Object.assign(URL, { createObjectURL: () => "blob:face", revokeObjectURL: () => {} });
});

const shownPicture = () => document.querySelector("img")?.getAttribute("src");

/** Stubs the profile and accepts every request to the storage service. */
function serveWithStorage() {
  const requests = serve({ "PATCH /rest/v1/profiles": { status: 204 } });
  const stubbedFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await stubbedFetch(input, init);
    return requests.at(-1)?.path.startsWith("/storage/v1/object/") ? Response.json({}) : response;
  };
  return requests;
}

async function openEditor(account = rosa) {
  show(<ProfileForm account={account} />);
  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
}

test("PROF-08 the picture input accepts pictures only and rejects everything else", async () => {
  const requests = serve({});
  await openEditor();
  const input = screen.getByLabelText("Choose a picture");
  expect(input).toHaveAttribute("accept", "image/png,image/jpeg,image/webp,image/gif");

  const user = userEvent.setup({ applyAccept: false });
  await user.upload(input, new File(["<svg/>"], "me.svg", { type: "image/svg+xml" }));
  expect(screen.getByText("Please choose a picture: PNG, JPEG, WebP or GIF")).toBeVisible();
  await user.upload(input, new File([new Uint8Array(5_000_001)], "me.png", { type: "image/png" }));
  expect(screen.getByText("Please choose a picture of at most 5 MB")).toBeVisible();

  expect(shownPicture()).toBeUndefined();
  expect(requests).toEqual([]);
});

test("a chosen picture is previewed and uploaded under a new name, and the old file is deleted", async () => {
  const requests = serveWithStorage();
  await openEditor({ ...rosa, profilePicture: OLD_PICTURE });
  expect(shownPicture()).toContain(
    `/storage/v1/render/image/public/profile-pictures/${OLD_PICTURE}?width=144`,
  );

  await userEvent.upload(screen.getByLabelText("Choose a picture"), PNG_FILE);
  expect(shownPicture()).toBe("blob:face");
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Your profile has been successfully updated.")).toBeVisible();
  const [upload, profileUpdate, deletion] = requests;
  expect(upload?.path).toMatch(
    new RegExp(`^/storage/v1/object/profile-pictures/${ROSA.id}/[0-9a-f-]{36}\\.png$`),
  );
  expect(upload?.headers.get("content-type")).toBe("image/png");
  expect(profileUpdate?.body).toMatchObject({ profile_picture: upload?.path.split("profile-pictures/")[1] });
  expect([deletion?.method, deletion?.path]).toEqual([
    "DELETE",
    `/storage/v1/object/profile-pictures/${OLD_PICTURE}`,
  ]);
});

test("a picture can be removed, and Cancel restores it", async () => {
  const requests = serveWithStorage();
  await openEditor({ ...rosa, profilePicture: OLD_PICTURE });

  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(shownPicture()).toBeUndefined();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(shownPicture()).toContain(OLD_PICTURE);

  await userEvent.click(screen.getByRole("button", { name: "Edit Profile" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(requests[0]?.body).toMatchObject({ profile_picture: null }));
});

test("if the server rejects a picture, the profile is not changed and an error is shown", async () => {
  const requests = serve({});
  await openEditor();
  await userEvent.upload(screen.getByLabelText("Choose a picture"), PNG_FILE);
  await userEvent.click(screen.getByRole("button", { name: "Save Changes" }));

  expect(await screen.findByText("Update failed")).toBeVisible();
  expect(requests.map(({ method }) => method)).toEqual(["POST"]);
  expect(shownPicture()).toBe("blob:face");
});
