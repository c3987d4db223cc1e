const MAX_KEY_LENGTH = 40;

/**
 * Makes the key of a question or the value of an option from its label, for example `do_you_swim` from "Do you swim?".
 * A label in another script than Latin gives the fallback. A number is added if the key is taken.
 */
export function keyFor(label: string, fallback: string, takenKeys: ReadonlySet<string>): string {
  const key = slugOf(label) || fallback;
  if (!takenKeys.has(key)) return key;
  for (let number = 2; ; number += 1) {
    const suffix = `_${number}`;
    const numberedKey = key.slice(0, MAX_KEY_LENGTH - suffix.length) + suffix;
    if (!takenKeys.has(numberedKey)) return numberedKey;
  }
}

function slugOf(label: string): string {
  return label
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+/, "")
    .slice(0, MAX_KEY_LENGTH)
    .replace(/_+$/, "");
}
