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
const PYTHON = join(ROOT, ".venv/bin/python");
/** All stories come from one address and some ask for one mail after the other. */
const UNHURRIED = {
  CAIRN_AUTH__RATE_LIMIT_OTP: "100000",
  CAIRN_AUTH__RATE_LIMIT_VERIFY: "100000",
  CAIRN_AUTH__RATE_LIMIT_TOKEN_REFRESH: "100000",
  CAIRN_AUTH__SMTP_MAX_FREQUENCY: "PT0.01S",
};

const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("CAIRN_"));
const base = { ...Object.fromEntries(inherited), ...UNHURRIED };

/** One server for all stories; those that stop theirs start one of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const elsewhere = `http://127.0.0.1:${await freePort()}`;
  const words = ["-m", "tests.external", new URL(elsewhere).port];
  const others = spawn(PYTHON, words, { env: base, cwd: ROOT, stdio: "inherit" });
  const house = await ownHouse(offering(elsewhere));
  await answering(`${elsewhere}/.well-known/openid-configuration`, others);
  project.provide("keys", house.keys);
  project.provide("elsewhere", elsewhere);
  return async () => {
    await house.remove();
    await ended(others, "SIGINT");
  };
}

/** What an operator sets who offers Google and SAML; both are played by one server of the tests. */
function offering(elsewhere: string): Record<string, string> {
  return {
    CAIRN_AUTH__GOOGLE__CLIENT_ID: "cairn-in-tests",
    CAIRN_AUTH__GOOGLE__CLIENT_SECRET: "only for tests",
    CAIRN_AUTH__GOOGLE__ISSUER: elsewhere,
    CAIRN_AUTH__MANUAL_LINKING: "true",
    CAIRN_AUTH__SAML: "true",
  };
}

/** `cairn serve` on a data folder of its own, exactly as an operator would start it. */
export async function ownHouse(settings: Record<string, string> = {}): Promise<House> {
  const env = { ...base, ...settings };
  const data = mkdtempSync(join(tmpdir(), "cairn-contract-"));
  const port = await freePort();
  let server = await started(data, port, env);
  const keys: Keys = JSON.parse(
    execFileSync(PYTHON, ["-m", "cairn", "keys", "--json", "--data", data], { env, cwd: ROOT }).toString(),
  );
  const end = (how: NodeJS.Signals) => ended(server, how);
  return {
    keys,
    stop: () => end("SIGINT"),
    kill: () => end("SIGKILL"),
    start: async () => {
      server = await started(data, port, env);
    },
    signal: (name) => server.kill(name),
    remove: async () => {
      await end("SIGINT");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export interface House {
  keys: Keys;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  remove(): Promise<void>;
}

async function started(data: string, port: number, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const words = ["-m", "cairn", "serve", "--data", data, "--port", String(port)];
  const server = spawn(PYTHON, words, { env, cwd: ROOT, stdio: "inherit" });
  await answering(`http://127.0.0.1:${port}/auth/v1/health`, server);
  return server;
}

async function ended(child: ChildProcess, how: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once("exit", done));
  child.kill(how);
  await exit;
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
    if (server.exitCode !== null) throw new Error(`nothing is left that could answer at ${url}`);
    const answered = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`nothing answers at ${url}`);
}
