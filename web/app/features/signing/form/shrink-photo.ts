/** The database accepts a photo whose data URL has at most 300,000 characters. */
const MAX_CHARACTERS = 300_000;
const LONGEST_SIDES = [1280, 960, 720, 480];

/**
 * Returns the photo as a small JPEG, because a phone takes photos of several megabytes. Returns null if it is not a
 * picture or cannot be made small enough.
 */
export async function shrinkPhoto(file: File): Promise<string | null> {
  try {
    const picture = await createImageBitmap(file);
    for (const side of LONGEST_SIDES) {
      const url = drawPhoto(picture, side);
      if (url.startsWith("data:image/jpeg") && url.length <= MAX_CHARACTERS) return url;
    }
  } catch {
    // The file is not a picture that this browser can show.
  }
  return null;
}

function drawPhoto(picture: ImageBitmap, longestSide: number): string {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", 0.7);
}
