const TITLES = new Set(["dr", "mr", "mrs", "ms", "mx", "prof", "sir"]);
const MAX_CHARACTERS = 60;
const MAX_DIGITS = 4;

/**
 * Returns "Hi Noor," for "Noor Haddad", and "Hi," for a text that is not a name. The rules are those of
 * cairn/messaging/greeting.py: a company that has not confirmed its address can send only the standard text, and the
 * server checks that the email has this text.
 */
export function greeting(name: string): string {
  const found = firstName(name);
  return found ? `Hi ${found},` : "Hi,";
}

/** A comma means that the last name comes first, as in "Haddad, Noor". */
function firstName(name: string): string {
  const comma = name.indexOf(",");
  const rest = comma < 0 ? "" : name.slice(comma + 1);
  const last = comma < 0 ? name : name.slice(0, comma);
  const parts = (rest.trim() ? rest : last).split(/\s+/).filter(Boolean);
  while (parts.length > 1 && TITLES.has((parts[0] ?? "").replace(/\.+$/, "").toLowerCase())) parts.shift();
  const found = parts[0] ?? "";
  return isName(found) ? found : "";
}

const isName = (word: string): boolean =>
  /\p{L}/u.test(word) &&
  !/[@/]/.test(word) &&
  [...word].length <= MAX_CHARACTERS &&
  (word.match(/\p{Nd}/gu) ?? []).length <= MAX_DIGITS;
