import { chosenTheme } from "~/lib/theme";

const FILES = import.meta.glob<string>("../../../pictures/*.avif", {
  eager: true,
  query: "?url",
  import: "default",
});
const SIZES = {
  dashboard: { width: 1400, height: 900 },
  templates: { width: 1400, height: 900 },
  send: { width: 1400, height: 900 },
  verify: { width: 1400, height: 900 },
  signing: { width: 640, height: 1280 },
};
const DARK = "(prefers-color-scheme: dark)";
const PHONE = "(max-width: 639px)";
const ON_PHONE = { width: 640, height: 1050 };
export type PictureName = keyof typeof SIZES;

/** A screenshot in the current theme and, on phones, in a narrow version. Made by tools/pictures.py. */
export function Picture({ name, alt }: { name: PictureName; alt: string }) {
  const theme = chosenTheme();
  const isTall = SIZES[name].height > SIZES[name].width;
  const variant = theme === "dark" ? "dark" : "light";
  const onPhone = isTall ? name : `${name}-phone`;
  const phoneSize = isTall ? SIZES[name] : ON_PHONE;
  return (
    <picture className="self-start">
      {theme === "system" && (
        <>
          <source media={`${PHONE} and ${DARK}`} srcSet={fileOf(onPhone, "dark")} {...phoneSize} />
          <source media={`(min-width: 640px) and ${DARK}`} srcSet={fileOf(name, "dark")} />
        </>
      )}
      <source media={PHONE} srcSet={fileOf(onPhone, variant)} {...phoneSize} />
      <img
        src={fileOf(name, variant)}
        alt={alt}
        {...SIZES[name]}
        loading="lazy"
        decoding="async"
        className={`h-auto rounded-control border border-line ${isTall ? "w-full sm:mx-auto sm:w-48" : "w-full"}`}
      />
    </picture>
  );
}

const fileOf = (name: string, theme: string) => FILES[`../../../pictures/${name}-${theme}.avif`];
