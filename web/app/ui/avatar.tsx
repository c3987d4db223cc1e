import { cx } from "class-variance-authority";
import { useState } from "react";
import { profilePictureUrl } from "~/lib/profile-picture";

type Props = { name: string; picture?: string | null | undefined; size: number; className?: string };

/** Shows a profile picture or the initial of the name. It is only decoration, so screen readers skip it. */
export function Avatar({ name, picture, size, className }: Props) {
  const [brokenPicture, setBrokenPicture] = useState<string | null>(null);
  const shape = cx("shrink-0 rounded-full", className);
  const style = { width: size, height: size };
  if (picture && picture !== brokenPicture) {
    // A picture that is chosen but not saved yet has a blob URL. A saved picture has a file name.
    const url = picture.startsWith("blob:") ? picture : profilePictureUrl(picture, size);
    return (
      <img
        src={url}
        alt=""
        width={size}
        height={size}
        className={cx(shape, "object-cover")}
        style={style}
        onError={() => setBrokenPicture(picture)}
      />
    );
  }
  return (
    <span
      aria-hidden
      style={{ ...style, fontSize: size * 0.44 }}
      className={cx(shape, "grid place-items-center bg-forest font-semibold text-on-forest uppercase")}
    >
      {[...name.trim()][0] ?? "?"}
    </span>
  );
}
