/**
 * Sends a list, also while the user looks at other pages of the app. What was sent is stored in the browser after each
 * row, so that the rest can be sent after the page was closed.
 */
import { useSyncExternalStore } from "react";
import { readCache, writeCache } from "~/lib/browser-cache";
import { isUnreachable, onConnectionChange } from "~/lib/connection";
import { queryClient } from "~/lib/query-client";
import { storedSession } from "~/lib/stored-session";
import { correctListed } from "../api/correct-listed";
import { sendListed, type Pause } from "../api/send-listed";
import { AFFECTED_QUERIES } from "../api/send-waiver";
import type { SendableTemplate } from "../model";
import type { Listed } from "./build-rows";
import { leaveWarning } from "./leave-warning";
import { parseRun, withFailedRowsAgain, withRow, type ListRun, type RunRow } from "./list-run";

type State = { run: ListRun | null; isSending: boolean; pause: Pause | null };

/** A few rows are sent at the same time, because each one waits for the mail server. */
const ROWS_AT_ONCE = 4;
/** The server waits for the mail server for some seconds. Rows that are still on their way are asked for again. */
const MAX_QUESTIONS = 5;

/** The page also says how many waivers the plan still covers. */
const CHANGED_QUERIES = [...AFFECTED_QUERIES, "billing"];

const NOTHING: State = { run: null, isSending: false, pause: null };
let state: State | undefined;
let template: SendableTemplate | undefined;
const inProgress = new Set<number>();
const questions = new Map<number, number>();
const listeners = new Set<() => void>();
const warnBeforeLeaving = leaveWarning();

const currentState = (): State => (state ??= { ...NOTHING, run: parseRun(readCache("listSending")) });

function setState(next: Partial<State>): void {
  state = { ...currentState(), ...next };
  const { run } = state;
  // After signing out, nothing about the list may stay in the browser.
  if (run && isOwn(run)) writeCache("listSending", run);
  for (const notify of listeners) notify();
}

const isOwn = (run: ListRun): boolean => storedSession()?.user.id === run.userId;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the list that is being sent or was sent last, unless someone else sent it. */
export function useListRun(): State {
  const current = useSyncExternalStore(subscribe, currentState, () => NOTHING);
  return current.run && !isOwn(current.run) ? NOTHING : current;
}

export function startRun(run: ListRun, sentTemplate: SendableTemplate): Promise<void> {
  if (currentState().isSending) return Promise.resolve();
  questions.clear();
  setState({ run, pause: null });
  return continueRun(sentTemplate);
}

/** Sends the rows that have no outcome yet. A second call while rows are being sent does nothing. */
export async function continueRun(sentTemplate: SendableTemplate): Promise<void> {
  const { run, isSending } = currentState();
  if (!run || isSending || !isOwn(run)) return;
  template = sentTemplate;
  setState({ isSending: true, pause: null });
  warnBeforeLeaving(true);
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, () => sendRows(sentTemplate)));
  setState({ isSending: false });
  warnBeforeLeaving(false);
  continueIfReachable();
  await Promise.all(CHANGED_QUERIES.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}

export function sendFailedRowsAgain(sentTemplate: SendableTemplate): Promise<void> {
  const { run, isSending } = currentState();
  if (!run || isSending) return Promise.resolve();
  setState({ run: withFailedRowsAgain(run) });
  return continueRun(sentTemplate);
}

/** Sends a row that failed to another recipient. Throws if the server refuses the correction. */
export async function correctRow(row: RunRow, listed: Listed, sentTemplate: SendableTemplate): Promise<void> {
  finishRow(await correctListed(row, listed));
  questions.delete(row.number);
  void continueRun(sentTemplate);
}

/** Rows that are being sent at this moment are still sent. */
export function stopRun(): void {
  if (currentState().isSending) setState({ pause: { kind: "stopped", reason: "You stopped." } });
}

/** Forgets the list. What was sent stays sent. */
export function closeRun(): void {
  if (currentState().isSending) return;
  state = NOTHING;
  writeCache("listSending", null);
  for (const notify of listeners) notify();
}

async function sendRows(sentTemplate: SendableTemplate): Promise<void> {
  for (;;) {
    const { run, pause } = currentState();
    const row = run && !pause && isOwn(run) ? nextRow(run) : undefined;
    if (!run || !row) return;
    inProgress.add(row.number);
    const step = await sendListed(run, row, sentTemplate);
    inProgress.delete(row.number);
    if ("pause" in step) return setState({ pause: step.pause });
    finishRow(step.row);
  }
}

function finishRow(row: RunRow): void {
  const { run } = currentState();
  if (run) setState({ run: withRow(run, row) });
}

function nextRow(run: ListRun): RunRow | undefined {
  const free = run.rows.filter(({ number }) => !inProgress.has(number));
  const unsent = free.find(({ outcome }) => outcome === null);
  if (unsent) return unsent;
  const onItsWay = free.find(
    ({ number, outcome }) => outcome?.result === "sending" && (questions.get(number) ?? 0) < MAX_QUESTIONS,
  );
  if (onItsWay) questions.set(onItsWay.number, (questions.get(onItsWay.number) ?? 0) + 1);
  return onItsWay;
}

function continueIfReachable(): void {
  const { pause } = currentState();
  if (!isUnreachable() && pause?.kind === "unreachable" && template) void continueRun(template);
}

onConnectionChange(continueIfReachable);
