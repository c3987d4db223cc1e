import { spawn, execFileSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve as resolvePath } from "node:path";

import type { TestProject } from "vitest/node";

export interface Keys {
  url: string;
  anon_key: string;
  service_key: string;
  db_url: string;
}

declare module "vitest" {
  interface ProvidedContext {
    keys: Keys;
    /** This is the URL of a fake OpenID provider and SAML identity provider. */
    identityProvider: string;
  }
}

export const ROOT = resolvePath(import.meta.dirname, "../..");
export const PYTHON = join(ROOT, ".venv/bin/python");

/** All tests send their requests from one IP address, and some request several emails within a second. */
const NO_RATE_LIMITS = {
  CAIRN_AUTH__RATE_LIMIT_OTP: "100000",
  CAIRN_AUTH__RATE_LIMIT_EMAIL_PER_NETWORK: "100000",
  CAIRN_AUTH__RATE_LIMIT_VERIFY: "100000",
  CAIRN_AUTH__RATE_LIMIT_TOKEN_REFRESH: "100000",
  CAIRN_AUTH__SMTP_MAX_FREQUENCY: "PT0.01S",
};

const inheritedVariables = Object.entries(process.env).filter(([name]) => !name.startsWith("CAIRN_"));
const baseEnvironment = { ...Object.fromEntries(inheritedVariables), ...NO_RATE_LIMITS };

/** Starts one server for all test files. Tests that stop a server start their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const identityProvider = `http://127.0.0.1:${await freePort()}`;
  const parameters = ["-m", "tests.external", new URL(identityProvider).port];
  const providerProcess = spawn(PYTHON, parameters, { env: baseEnvironment, cwd: ROOT, stdio: "inherit" });
  const server = await startServer(federationSettings(identityProvider));
  await waitUntilResponding(`${identityProvider}/.well-known/openid-configuration`, providerProcess);
  project.provide("keys", server.keys);
  project.provide("identityProvider", identityProvider);
  return async () => {
    await server.remove();
    await endProcess(providerProcess, "SIGINT");
  };
}

/** Returns settings that enable Google and SAML, with the fake identity provider for both. */
function federationSettings(identityProvider: string): Record<string, string> {
  return {
    CAIRN_AUTH__GOOGLE__CLIENT_ID: "cairn-in-tests",
    CAIRN_AUTH__GOOGLE__CLIENT_SECRET: "only for tests",
    CAIRN_AUTH__GOOGLE__ISSUER: identityProvider,
    CAIRN_AUTH__MANUAL_LINKING: "true",
    CAIRN_AUTH__SAML: "true",
  };
}

export interface TestServer {
  keys: Keys;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  remove(): Promise<void>;
}

/** Runs `cairn serve` with a new data folder, as an operator would start it. */
export async function startServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const env = { ...baseEnvironment, ...settings };
  const data = mkdtempSync(join(tmpdir(), "cairn-contract-"));
  const port = await freePort();
  let server = await spawnServer(data, port, env);
  const keys: Keys = JSON.parse(
    execFileSync(PYTHON, ["-m", "cairn", "keys", "--json", "--data", data], { env, cwd: ROOT }).toString(),
  );
  return {
    keys,
    stop: () => endProcess(server, "SIGINT"),
    kill: () => endProcess(server, "SIGKILL"),
    start: async () => {
      server = await spawnServer(data, port, env);
    },
    signal: (name) => server.kill(name),
    remove: async () => {
      await endProcess(server, "SIGINT");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function spawnServer(data: string, port: number, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const parameters = ["-m", "cairn", "serve", "--data", data, "--port", String(port)];
  const server = spawn(PYTHON, parameters, { env, cwd: ROOT, stdio: "inherit" });
  try {
    await waitUntilResponding(`http://127.0.0.1:${port}/auth/v1/health`, server);
  } catch (error) {
    server.kill("SIGKILL");
    throw error;
  }
  return server;
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function waitUntilResponding(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`The server at ${url} has exited.`);
    const isResponding = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (isResponding) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The server at ${url} does not respond.`);
}
