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

const CAIRN = resolve(import.meta.dirname, "../../.venv/bin/cairn");

/** `cairn serve` on a data folder of its own, exactly as an operator would start it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), "cairn-contract-"));
  const port = await freePort();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("CAIRN_")));
  const server = spawn(CAIRN, ["serve", "--data", data, "--port", String(port)], { env, stdio: "inherit" });
  await answering(`http://127.0.0.1:${port}/auth/v1/health`, server);
  project.provide(
    "keys",
    JSON.parse(execFileSync(CAIRN, ["keys", "--json", "--data", data], { env }).toString()),
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
