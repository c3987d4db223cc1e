import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { TestProject } from "vitest/node";

export interface Keys {
  url: string;
  anon_key: string;
  service_key: string;
}

declare module "vitest" {
  interface ProvidedContext {
    keys: Keys;
    /** Where other people's servers are: an OpenID provider and a SAML identity provider. */
    elsewhere: string;
  }
}

const ROOT = resolve(import.meta.dirname, "../..");
const PYTHON = resolve(ROOT, ".venv/bin/python");

/** `cairn serve` on a data folder of its own, exactly as an operator would start it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), "cairn-contract-"));
  const port = await freePort();
  const elsewhere = `http://127.0.0.1:${await freePort()}`;
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CAIRN_")));
  const env = { ...inherited, ...settings(elsewhere) };
  const started = { cwd: ROOT, env };
  const others = spawn(PYTHON, ["-m", "tests.elsewhere", new URL(elsewhere).port], { ...started, stdio: "inherit" });
  const arguments_ = ["-m", "cairn", "serve", "--data", data, "--port", String(port)];
  const server = spawn(PYTHON, arguments_, { ...started, stdio: "inherit" });
  await answering(`${elsewhere}/.well-known/openid-configuration`, others);
  await answering(`http://127.0.0.1:${port}/auth/v1/health`, server);
  const printed = execFileSync(PYTHON, ["-m", "cairn", "keys", "--json", "--data", data], started).toString();
  project.provide("keys", JSON.parse(printed));
  project.provide("elsewhere", elsewhere);
  return async () => {
    await ended(server, "SIGINT");
    await ended(others, "SIGINT");
    rmSync(data, { recursive: true, force: true });
  };
}

/** What an operator sets who offers Google and SAML; both are played by one server of the tests. */
function settings(elsewhere: string): Record<string, string> {
  return {
    CAIRN_AUTH__GOOGLE__CLIENT_ID: "cairn-in-tests",
    CAIRN_AUTH__GOOGLE__CLIENT_SECRET: "only for tests",
    CAIRN_AUTH__GOOGLE__ISSUER: elsewhere,
    CAIRN_AUTH__MANUAL_LINKING: "true",
    CAIRN_AUTH__SAML: "true",
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  if (child.exitCode !== null) return Promise.resolve();
  const exit = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  return exit;
}

async function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null) throw new Error("cairn serve ended before it answered");
    const answered = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`nothing answers at ${url}`);
}
