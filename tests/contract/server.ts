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
  }
}

const ROOT = resolve(import.meta.dirname, "../..");
const PYTHON = join(ROOT, ".venv/bin/python");
/** All stories come from one address and some ask for one mail after the other. */
const UNHURRIED = {
  CAIRN_AUTH__RATE_LIMIT_OTP: "100000",
  CAIRN_AUTH__RATE_LIMIT_VERIFY: "100000",
  CAIRN_AUTH__RATE_LIMIT_TOKEN_REFRESH: "100000",
  CAIRN_AUTH__SMTP_MAX_FREQUENCY: "PT0.01S",
};

/** `cairn serve` on a data folder of its own, exactly as an operator would start it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), "cairn-contract-"));
  const port = await freePort();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CAIRN_"));
  const env = { ...Object.fromEntries(inherited), ...UNHURRIED };
  const cairn = (...words: string[]) => ["-m", "cairn", ...words, "--data", data];
  const server = spawn(PYTHON, cairn("serve", "--port", String(port)), { env, cwd: ROOT, stdio: "inherit" });
  await answering(`http://127.0.0.1:${port}/auth/v1/health`, server);
  project.provide(
    "keys",
    JSON.parse(execFileSync(PYTHON, cairn("keys", "--json"), { env, cwd: ROOT }).toString()),
  );
  return async () => {
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGINT");
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
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
