import type { Form } from "./types";

/** A date is written as 2026-05-01, so that comparing two of these texts compares the dates. */
export function isDate(value: unknown): value is string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(typeof value === "string" ? value : "") ?? [];
  if (!year || !month || !day || Number(year) === 0 || Number(month) === 0 || Number(day) === 0) return false;
  return Number(month) <= 12 && Number(day) <= daysInMonth(Number(year), Number(month));
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

const MAX_AGE = 130;

export function isBirthDate(value: unknown, today: string): value is string {
  if (!isDate(value)) return false;
  const year = Number(today.slice(0, 4)) - MAX_AGE;
  const monthAndDay = today.endsWith("-02-29") && !isLeapYear(year) ? "-02-28" : today.slice(4);
  return value <= today && value >= `${String(year).padStart(4, "0")}${monthAndDay}`;
}

/**
 * Returns the age in full years on this day. In a year without 29 February, someone born on that day turns a year
 * older on 1 March.
 */
export function ageOn(day: string, birthDate: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return day.slice(4) < birthDate.slice(4) ? years - 1 : years;
}

/** Returns the date in the time zone of this device. The ages of participants are computed for that day. */
export function dayOf(now: Date): string {
  const month = String(now.getMonth() + 1).padStart(2, "0");
  return `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, "0")}`;
}

export function ageOfMajority(form: Form): number {
  return form.covers?.age_of_majority ?? 18;
}

/** Returns whether a minor of this age has to sign as well, beside the guardian. */
export function signsToo(form: Form, age: number): boolean {
  const fromAge = form.covers?.minors?.own_signature_from_age;
  return fromAge !== null && fromAge !== undefined && age >= fromAge;
}

/** Returns how many minors one signature can cover. It is 0 if the form covers only its signer. */
export function mostMinors(form: Form): number {
  const minors = form.covers?.minors;
  return minors ? (minors.most ?? 10) : 0;
}
