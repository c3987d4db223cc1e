import { cx } from "class-variance-authority";
import type { Picture } from "~/content/steps";

const FILES = import.meta.glob<string>("../../../pictures/*.avif", {
  eager: true,
  query: "?url",
  import: "default",
});
const SIZES = { desktop: { width: 1400, height: 900 }, phone: { width: 640, height: 1280 } };

type Props = { picture: Picture; className?: string; isFirst?: boolean };

/** Shows a screenshot of the product in the visitor's theme. tools/pictures.py makes the files. */
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

function fileOf(name: string, theme: string): string {
  const file = FILES[`../../../pictures/${name}-${theme}.avif`];
  if (!file) throw new Error(`There is no picture ${name}-${theme}: run \`make pictures\`.`);
  return file;
}
