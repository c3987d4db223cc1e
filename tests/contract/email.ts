import { expect } from "vitest";

import { PASSWORD, serviceClient, type Connect } from "./people";

export interface ReceivedEmail {
  subject: string;
  link: string;
  code: string;
  tokenHash: string;
}

/** Returns the latest email to `recipient`. Without a mail server, emails stay in the table `emails`. */
export async function latestEmail(connect: Connect, recipient: string): Promise<ReceivedEmail> {
  const { data, error } = await serviceClient(connect)
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

const unescapeHtml = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&#x27;", "'");

/**
 * Opens an emailed link, submits the form of its page, and returns the address of the redirect.
 * If the form has a field for the password of the account, the password that `signUp` uses is filled in.
 */
export async function followLink(link: string): Promise<URL> {
  const page = await fetch(link, { redirect: "manual", headers: { Accept: "text/html" } });
  if (page.status === 303) return new URL(page.headers.get("location") ?? "");
  expect(page.status).toBe(200);
  const html = await page.text();
  const action = unescapeHtml(/action="([^"]+)"/.exec(html)?.[1] ?? "");
  const form = new URLSearchParams();
  for (const [, name = "", value = ""] of html.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)) {
    form.set(name, unescapeHtml(value));
  }
  if (html.includes('type="password"')) form.set("password", PASSWORD);
  const response = await fetch(action, { method: "POST", body: form, redirect: "manual" });
  expect(response.status).toBe(303);
  return new URL(response.headers.get("location") ?? "");
}
