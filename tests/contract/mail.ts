import { expect } from "vitest";

import { service, type Connect } from "./cast";

export interface Letter {
  subject: string;
  link: string;
  code: string;
  tokenHash: string;
}

/** The newest letter to somebody. No mail server is set up, so the operator finds it in the mailbox. */
export async function letterTo(using: Connect, recipient: string): Promise<Letter> {
  const { data, error } = await service(using)
    .from("emails")
    .select("subject, body")
    .eq("recipient", recipient.toLowerCase())
    .order("created_at", { ascending: false })
    .limit(1)
    .single();
  if (error) throw error;
  const [link = ""] = /https?:\S+/.exec(data.body) ?? [];
  const [code = ""] = /^\d{6}$/m.exec(data.body) ?? [];
  return {
    subject: data.subject,
    link,
    code,
    tokenHash: (link && new URL(link).searchParams.get("token")) || "",
  };
}

const unescape = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");

/** Opens a mailed link in a browser without scripts and presses its button; answers where that leads. */
export async function follow(link: string): Promise<URL> {
  const page = await fetch(link, { redirect: "manual", headers: { Accept: "text/html" } });
  if (page.status === 303) return new URL(page.headers.get("location") ?? "");
  expect(page.status).toBe(200);
  const html = await page.text();
  const action = unescape(/action="([^"]+)"/.exec(html)?.[1] ?? "");
  const form = new URLSearchParams();
  for (const [, name = "", value = ""] of html.matchAll(/name="(\w+)" value="([^"]*)"/g)) {
    form.set(name, unescape(value));
  }
  const answer = await fetch(action, { method: "POST", body: form, redirect: "manual" });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get("location") ?? "");
}
