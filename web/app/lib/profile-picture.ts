export const PICTURE_BUCKET = "profile-pictures";

/** The server resizes the picture, to twice the displayed size for high-density screens. */
export function profilePictureUrl(name: string, size: number): string {
  const side = size * 2;
  return `/storage/v1/render/image/public/${PICTURE_BUCKET}/${name}?width=${side}&height=${side}&resize=cover`;
}
