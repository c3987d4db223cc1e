import { PICTURE_BUCKET } from "~/lib/profile-picture";
import { requestStorage } from "~/lib/api";

/** What the bucket takes; asked of the server again when a picture arrives there. */
export const PICTURE_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const LARGEST = 5_000_000;

/** A new file, the one there is, or none from now on. */
export type PictureChoice = File | "keep" | "remove";

export function pictureProblem(file: File): string | null {
  if (!PICTURE_TYPES.includes(file.type)) return "Please choose a picture: PNG, JPEG, WebP or GIF";
  return file.size > LARGEST ? "Please choose a picture of at most 5 MB" : null;
}

/** Answers the name to write into the profile. Each picture has its own, so that no cache shows the old one. */
export async function storePicture(
  personId: string,
  choice: PictureChoice,
  before: string | null,
): Promise<string | null> {
  if (choice === "keep") return before;
  if (choice === "remove") return null;
  const name = `${personId}/${crypto.randomUUID()}.${choice.type.split("/")[1]}`;
  const headers = { "Content-Type": choice.type, "Cache-Control": "max-age=31536000" };
  await requestStorage(`/object/${PICTURE_BUCKET}/${name}`, { method: "POST", headers, body: choice });
  return name;
}

/** The profile no longer shows it; a file that cannot be removed now is nothing to trouble the person with. */
export function forgetPicture(name: string): void {
  void requestStorage(`/object/${PICTURE_BUCKET}/${name}`, { method: "DELETE" }).catch(() => undefined);
}
