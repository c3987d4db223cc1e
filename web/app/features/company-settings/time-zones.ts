/** Returns UTC, followed by the time zones that the browser supports and the saved one, without duplicates. */
export function timeZones(savedZone: string): string[] {
  const sortedZones = [...Intl.supportedValuesOf("timeZone"), savedZone].toSorted();
  return [...new Set(["UTC", ...sortedZones])];
}

export const browserTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the part of the world to which a zone belongs, or "" for a zone such as UTC. */
export const regionOf = (zone: string): string =>
  zone.includes("/") ? zone.slice(0, zone.indexOf("/")) : "";

/** Returns the place after which a zone is called, such as "Denver" or "Knox, Indiana". */
export function placeOf(zone: string): string {
  const places = regionOf(zone) === "" ? [zone] : zone.split("/").slice(1);
  return places.toReversed().join(", ").replaceAll("_", " ");
}

/** Returns the place and what people there call their time, such as "Denver (Mountain Time)". */
export function zoneName(zone: string, now: Date): string {
  const name = nameOfTime(zone, now);
  const place = placeOf(zone);
  return name === "" || name.startsWith("GMT") || name.startsWith(place) ? place : `${place} (${name})`;
}

/** Returns the current time in the zone, which helps users who do not know the name of their zone. */
export const timeIn = (zone: string, now: Date): string =>
  formatterFor(zone, { hour: "numeric", minute: "2-digit" })?.format(now) ?? "";

function nameOfTime(zone: string, now: Date): string {
  const parts = formatterFor(zone, { timeZoneName: "longGeneric" })?.formatToParts(now);
  return parts?.find(({ type }) => type === "timeZoneName")?.value ?? "";
}

/** Returns undefined for a saved zone that this browser does not know. */
function formatterFor(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone, ...options });
  } catch {
    return undefined;
  }
}
