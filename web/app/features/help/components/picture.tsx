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
export type PictureName = keyof typeof SIZES;

/** The running product, in the light that was chosen. Taken by tools/pictures.py. */
export function Picture({ name, alt }: { name: PictureName; alt: string }) {
  const theme = chosenTheme();
  const isTall = SIZES[name].height > SIZES[name].width;
  return (
    <picture className="self-start">
      {theme === "system" && <source media="(prefers-color-scheme: dark)" srcSet={fileOf(name, "dark")} />}
      <img
        src={fileOf(name, theme === "dark" ? "dark" : "light")}
        alt={alt}
        {...SIZES[name]}
        loading="lazy"
        decoding="async"
        className={`h-auto rounded-control border border-line ${isTall ? "mx-auto w-48" : "w-full"}`}
      />
    </picture>
  );
}

const fileOf = (name: PictureName, light: string) => FILES[`../../../pictures/${name}-${light}.avif`];
