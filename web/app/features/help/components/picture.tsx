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
const DARK_THEME = "(prefers-color-scheme: dark)";
const PHONE_WIDTH = "(max-width: 639px)";
const PHONE_SIZE = { width: 640, height: 1050 };
export type PictureName = keyof typeof SIZES;

/** Shows a screenshot in the current theme, and a narrower screenshot on phones. tools/pictures.py makes the files. */
export function Picture({ name, alt }: { name: PictureName; alt: string }) {
  const theme = chosenTheme();
  // A tall screenshot was already taken on a phone, so there is no other one for phones.
  const isTall = SIZES[name].height > SIZES[name].width;
  const variant = theme === "dark" ? "dark" : "light";
  const phoneName = isTall ? name : `${name}-phone`;
  const phoneSize = isTall ? SIZES[name] : PHONE_SIZE;
  return (
    <picture className="self-start">
      {theme === "system" && (
        <>
          <source
            media={`${PHONE_WIDTH} and ${DARK_THEME}`}
            srcSet={fileOf(phoneName, "dark")}
            {...phoneSize}
          />
          <source media={`(min-width: 640px) and ${DARK_THEME}`} srcSet={fileOf(name, "dark")} />
        </>
      )}
      <source media={PHONE_WIDTH} srcSet={fileOf(phoneName, variant)} {...phoneSize} />
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
