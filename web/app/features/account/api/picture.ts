import { PICTURE_BUCKET } from "~/lib/profile-picture";
import { requestStorage } from "~/lib/api";
import { newId } from "~/lib/new-id";

/** The types that the bucket accepts; the server checks them again on upload. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const MAX_BYTES = 5_000_000;

/** A new file, the current picture, or no picture. */
export type PictureChoice = File | "keep" | "remove";

export function pictureProblem(file: File): string | null {
  if (!PICTURE_TYPES.includes(file.type)) return "Please choose a picture: PNG, JPEG, WebP or GIF";
  return file.size > MAX_BYTES ? "Please choose a picture of at most 5 MB" : null;
}

/** Returns the file name for the profile. Each upload gets a new name, so that no cache shows an old picture. */
export async function storePicture(
  userId: string,
  choice: PictureChoice,
  before: string | null,
): Promise<string | null> {
  if (choice === "keep") return before;
  if (choice === "remove") return null;
  const name = `${userId}/${newId()}.${choice.type.split("/")[1]}`;
  const headers = { "Content-Type": choice.type, "Cache-Control": "max-age=31536000" };
  await requestStorage(`/object/${PICTURE_BUCKET}/${name}`, { method: "POST", headers, body: choice });
  return name;
}

/** A failure is ignored: the profile no longer shows the file, so the user need not know. */
export function deletePicture(name: string): void {
  void requestStorage(`/object/${PICTURE_BUCKET}/${name}`, { method: "DELETE" }).catch(() => undefined);
}
