export const PICTURES = "profile-pictures";

/** The server cuts the picture to size; twice as large as shown, for fine screens. */
export function pictureAddress(name: string, size: number): string {
  const side = size * 2;
  return `/storage/v1/render/image/public/${PICTURES}/${name}?width=${side}&height=${side}&resize=cover`;
}
