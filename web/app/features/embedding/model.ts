import * as z from "zod";

/** What can be put on a website: a template that takes signatures and has words to sign. */
export type Offer = { id: string; name: string; isSample: boolean };

/** As high as the window around it, so that the words scroll inside and what was read of them is known. */
const STYLE =
  "display: block; width: 100%; max-width: 820px; height: 90vh; min-height: 560px; margin: 0 auto; border: 0";

/** Needs no script and no leave: the signing page asks for neither camera nor place. */
export function snippet(address: string, name: string): string {
  return `<iframe
  src="${escaped(address)}"
  title="${escaped(`Sign ${name}`)}"
  loading="lazy"
  style="${STYLE}"
></iframe>`;
}

const SIGNS: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

const escaped = (text: string): string => text.replace(/[&"<>]/g, (sign) => SIGNS[sign] ?? sign);

/** What the server keeps instead of a list: every website may show the page. */
export const ANY_WEBSITE = ["*"];

export const MOST_WEBSITES = 20;

/** As the server checks it: each goes into a header as it stands. */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

/** The website somebody means by an address of one of its pages, or by its bare name. */
export function websiteOf(typed: string): string | null {
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const isNamed = url !== null && (url.hostname.includes(".") || url.hostname === "localhost");
  return isNamed && ORIGIN.test(url.origin) ? url.origin : null;
}

const lines = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

export const framing = z
  .object({ who: z.enum(["any", "named"]), websites: z.string() })
  .superRefine(({ who, websites }, refuse) => {
    if (who === "any") return;
    const typed = lines(websites);
    const wrong = typed.find((one) => websiteOf(one) === null);
    const message = wrong
      ? `${wrong} is not the address of a website, such as https://www.example.com`
      : typed.length > MOST_WEBSITES && `Please name at most ${MOST_WEBSITES} websites`;
    if (message) refuse.addIssue({ code: "custom", path: ["websites"], message });
  });
export type Framing = z.infer<typeof framing>;

/** Each once, as the server keeps them. */
export function framedBy({ who, websites }: Framing): string[] {
  if (who === "any") return ANY_WEBSITE;
  return [...new Set(lines(websites).flatMap((one) => websiteOf(one) ?? []))];
}

export function framingOf(saved: string[]): Framing {
  return saved.includes("*") ? { who: "any", websites: "" } : { who: "named", websites: saved.join("\n") };
}
