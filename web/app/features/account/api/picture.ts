import { PICTURE_BUCKET } from "~/lib/profile-picture";
import { requestStorage } from "~/lib/api";
import { newId } from "~/lib/new-id";

/** The bucket accepts these types; the server checks them again on upload. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_BYTES = 5_000_000;

/** The user uploads a new file, keeps the current picture, or removes it. */
export type PictureChoice = File | "keep" | "remove";

export function pictureProblem(file: File): string | null {
  if (!PICTURE_TYPES.includes(file.type)) return "Please choose a picture: PNG, JPEG, WebP or GIF";
  return file.size > MAX_BYTES ? "Please choose a picture of at most 5 MB" : null;
}

/**
 * Uploads the picture, if the user has chosen a new one. Returns the file name of the picture that the
 * profile is to show, or null for none. Each upload gets a new name, so that no cache shows an old picture.
 */
export async function storePicture(
  userId: string,
  choice: PictureChoice,
  currentName: string | null,
): Promise<string | null> {
  if (choice === "keep") return currentName;
  if (choice === "remove") return null;
  const name = `${userId}/${newId()}.${choice.type.split("/")[1]}`;
  const headers = { "Content-Type": choice.type, "Cache-Control": "max-age=31536000" };
  await requestStorage(`/object/${PICTURE_BUCKET}/${name}`, { method: "POST", headers, body: choice });
  return name;
}

/** Deletes the file. A failure is ignored, because the profile no longer shows the file. */
export function deletePicture(name: string): void {
  void requestStorage(`/object/${PICTURE_BUCKET}/${name}`, { method: "DELETE" }).catch(() => undefined);
}
