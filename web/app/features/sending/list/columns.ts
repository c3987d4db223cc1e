import { isPhoneNumber } from "../phone";
import { ADDRESS } from "./stored-recipient";

/** What a column of the list contains. */
export type Role = "name" | "firstName" | "lastName" | "email" | "phone" | "ignored";

export type Columns = { hasHeading: boolean; roles: Role[] };

/** Headings in English, Spanish, French, German, Portuguese and Italian, in lower case and without marks and accents. */
const HEADINGS: Record<Exclude<Role, "ignored">, string> = {
  email:
    "email emails mail emailaddress mailaddress emailid recipientemail guestemail correo correoelectronico courriel " +
    "adresseemail adressemail mailadresse emailadresse enderecodeemail indirizzoemail",
  firstName: "firstname first givenname forename nombres prenom vorname primeironome",
  lastName: "lastname last surname familyname apellido apellidos nomdefamille nachname sobrenome cognome",
  name:
    "name names fullname guest guestname participant participantname recipient recipientname displayname customer " +
    "customername contact nombre nombrecompleto nom nomcomplet nome nomecompleto nomecognome",
  phone:
    "phone phonenumber mobile mobilenumber mobilephone cell cellphone telephone tel sms telefono movil celular " +
    "telefon handy mobil portable telefone cellulare",
};

/** Guesses from the heading, or else from the cells, what each column contains. */
export function guessColumns(rows: string[][], withPhoneNumbers: boolean): Columns {
  const [first = [], ...others] = rows;
  const hasHeading = isHeading(first);
  const roles = guessRoles(rows, hasHeading, withPhoneNumbers);
  return { hasHeading: hasHeading && others.length > 0, roles };
}

/** Guesses the roles again after the user has said whether the first row is a heading. */
export function guessRoles(rows: string[][], hasHeading: boolean, withPhoneNumbers: boolean): Role[] {
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  const heading = hasHeading ? (rows[0] ?? []) : [];
  const roles = Array.from({ length: width }, (_, column) => roleOfHeading(heading[column] ?? ""));
  const columns = columnsOf(hasHeading ? rows.slice(1) : rows, width);
  addByContent(roles, columns, hasHeading);
  return withoutRepetitions(roles).map((role) => (role === "phone" && !withPhoneNumbers ? "ignored" : role));
}

const isHeading = (cells: string[]): boolean =>
  cells.some((cell) => roleOfHeading(cell) !== "ignored") && !cells.some((cell) => cell.includes("@"));

function roleOfHeading(cell: string): Role {
  const key = cell
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^\p{L}]/gu, "");
  for (const [role, headings] of Object.entries(HEADINGS))
    if (headings.split(" ").includes(key)) return roleOf(role);
  return "ignored";
}

const ROLES: Role[] = ["name", "firstName", "lastName", "email", "phone", "ignored"];
export const roleOf = (text: string): Role => ROLES.find((role) => role === text) ?? "ignored";

const columnsOf = (rows: string[][], width: number): string[][] =>
  Array.from({ length: width }, (_, column) => rows.map((cells) => cells[column] ?? "").filter(Boolean));

/**
 * Finds a column of addresses, if the heading names none. Without a heading, it also guesses the columns of
 * names and phone numbers.
 */
function addByContent(roles: Role[], columns: string[][], hasHeading: boolean): void {
  const unnamed = (column: number) => roles[column] === "ignored";
  const indexes = columns.map((_, column) => column);
  if (!roles.includes("email")) {
    const column = largestBy(indexes.filter(unnamed), (index) => countOf(columns[index], hasAddress));
    if (column !== undefined) roles[column] = "email";
  }
  if (hasHeading) return;
  const phone = largestBy(indexes.filter(unnamed), (index) => countOf(columns[index], isPhoneNumber));
  if (phone !== undefined) roles[phone] = "phone";
  const names = indexes.filter((column) => unnamed(column) && isMostlyNames(columns[column] ?? []));
  const [first, last] = names;
  if (first !== undefined) roles[first] = last === undefined ? "name" : "firstName";
  if (last !== undefined) roles[last] = "lastName";
}

/** Returns the number with the largest count, or undefined if all counts are zero. */
function largestBy(numbers: number[], count: (number: number) => number): number | undefined {
  const best = numbers.reduce<number | undefined>(
    (found, number) => (found === undefined || count(number) > count(found) ? number : found),
    undefined,
  );
  return best !== undefined && count(best) > 0 ? best : undefined;
}

const countOf = (cells: string[] | undefined, fits: (cell: string) => boolean): number =>
  cells?.filter(fits).length ?? 0;

const hasAddress = (cell: string): boolean => cell.split(/[\s<>]+/).some((word) => ADDRESS.test(word));

const isMostlyNames = (cells: string[]): boolean =>
  countOf(cells, (cell) => /\p{L}/u.test(cell) && !/[\d@]/.test(cell)) > cells.length / 2;

/**
 * Each role is used once. "Name" beside "First name" is the last name, as in German lists. If there is also a
 * "Last name", then "Name" is ignored, because it repeats them.
 */
function withoutRepetitions(roles: Role[]): Role[] {
  const hasFirst = roles.includes("firstName");
  const hasLast = roles.includes("lastName");
  return roles
    .map((role) => {
      if (role === "name" && hasFirst) return hasLast ? "ignored" : "lastName";
      if (role === "name" && hasLast) return "firstName";
      return role === "firstName" && !hasLast && !roles.includes("name") ? "name" : role;
    })
    .map((role, index, all) => (role !== "ignored" && all.indexOf(role) < index ? "ignored" : role));
}

/** Gives a column another role. A column that had this role, or one that it excludes, is then ignored. */
export function withRole(roles: Role[], column: number, role: Role): Role[] {
  return roles.map((current, index) => {
    if (index === column) return role;
    return role !== "ignored" && (current === role || excludes(role, current)) ? "ignored" : current;
  });
}

/** A list has either whole names or first and last names. */
const excludes = (role: Role, other: Role): boolean =>
  (role === "name" && (other === "firstName" || other === "lastName")) ||
  (other === "name" && (role === "firstName" || role === "lastName"));
