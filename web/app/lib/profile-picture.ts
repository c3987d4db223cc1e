export const PICTURE_BUCKET = "profile-pictures";

/** The server resizes the picture to twice the displayed size, because of high-density screens. */
export function profilePictureUrl(name: string, displayPixels: number): string {
  const pixels = displayPixels * 2;
  return `/storage/v1/render/image/public/${PICTURE_BUCKET}/${name}?width=${pixels}&height=${pixels}&resize=cover`;
}
