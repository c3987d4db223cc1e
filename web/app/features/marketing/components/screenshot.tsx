import { cx } from "class-variance-authority";
import type { Picture } from "~/content/steps";

const FILES = import.meta.glob<string>("../../../pictures/*.avif", {
  eager: true,
  query: "?url",
  import: "default",
});
const SIZES = { desk: { width: 1400, height: 900 }, phone: { width: 640, height: 1280 } };

type Props = { picture: Picture; className?: string; isFirst?: boolean };

/** The running product in the light the visitor lives in. Taken by tools/pictures.py. */
export function Screenshot({ picture: { name, alt, shape }, className, isFirst = false }: Props) {
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={fileOf(name, "dark")} />
      <img
        src={fileOf(name, "light")}
        alt={alt}
        {...SIZES[shape]}
        loading={isFirst ? "eager" : "lazy"}
        decoding="async"
        className={cx(
          "h-auto w-full border border-line shadow-lift",
          shape === "phone" ? "rounded-[8%/4%]" : "rounded-xl",
          className,
        )}
      />
    </picture>
  );
}

function fileOf(name: string, light: string): string {
  const file = FILES[`../../../pictures/${name}-${light}.avif`];
  if (!file) throw new Error(`There is no picture ${name}-${light}: run \`make pictures\`.`);
  return file;
}
