import * as z from "~/lib/zod";

/** Only a template that is not archived and has text can be embedded. */
export type EmbeddableTemplate = { id: string; name: string; isSample: boolean };

/**
 * The frame is almost as high as the window, so that the text scrolls inside it and the scroll depth can be recorded.
 */
const FRAME_STYLE =
  "display: block; width: 100%; max-width: 820px; height: 90vh; min-height: 560px; margin: 0 auto; border: 0";

/**
 * Returns the HTML to paste into a website. The frame needs no script and no permissions such as camera or location.
 */
export function snippet(url: string, name: string): string {
  return `<iframe
  src="${escapeHtml(url)}"
  title="${escapeHtml(`Sign ${name}`)}"
  loading="lazy"
  style="${FRAME_STYLE}"
></iframe>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

const escapeHtml = (text: string): string =>
  text.replace(/[&"<>]/g, (character) => ENTITIES[character] ?? character);

/** This value is stored if every website may show the page. */
export const ANY_WEBSITE = ["*"];

export const MAX_WEBSITES = 20;

/** The server checks the same pattern, because it writes each origin into a header unchanged. */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

/** Returns the origin of a website, given the address of one of its pages or its host name. */
export function parseWebsite(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const hasHost = url !== null && (url.hostname.includes(".") || url.hostname === "localhost");
  return hasHost && ORIGIN.test(url.origin) ? url.origin : null;
}

const splitEntries = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);

/** What the company enters: who may show the page in a frame, and the named websites as they were typed. */
export const framingSchema = z
  .object({ who: z.enum(["any", "named"]), websites: z.string() })
  .superRefine(({ who, websites }, context) => {
    const message = who === "named" && websitesProblem(splitEntries(websites));
    if (message) context.addIssue({ code: "custom", path: ["websites"], message });
  });
export type Framing = z.infer<typeof framingSchema>;

function websitesProblem(entries: string[]): string | null {
  const invalidEntry = entries.find((entry) => parseWebsite(entry) === null);
  if (invalidEntry) return `${invalidEntry} is not the address of a website, such as https://www.example.com`;
  return entries.length > MAX_WEBSITES ? `Please name at most ${MAX_WEBSITES} websites` : null;
}

/** Returns the websites as they are stored, without duplicates. */
export function toWebsiteList({ who, websites }: Framing): string[] {
  if (who === "any") return ANY_WEBSITE;
  return [...new Set(splitEntries(websites).flatMap((entry) => parseWebsite(entry) ?? []))];
}

export function toFraming(savedWebsites: string[]): Framing {
  return savedWebsites.includes("*")
    ? { who: "any", websites: "" }
    : { who: "named", websites: savedWebsites.join("\n") };
}
