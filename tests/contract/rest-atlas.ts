import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { createClient } from "@supabase/supabase-js";
import { createClient as createOldClient } from "supabase-old";
import { afterAll, beforeAll } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const PYTHON = join(ROOT, ".venv/bin/python");
const LOAD = `
import asyncio, asyncpg, pathlib, sys
async def load():
    connection = await asyncpg.connect(sys.argv[1])
    await connection.execute(pathlib.Path(sys.argv[2]).read_text())
    await connection.execute("notify pgrst")
asyncio.run(load())
`;

export interface Atlas {
  url: string;
  key: string;
}

export const VERSIONS = ["newest", "2.49.4"] as const;
export type Version = (typeof VERSIONS)[number];

/** A server of its own, whose exposed schemas include the small world that the Python tests use too. */
export function atlas(): Atlas {
  const world: Atlas = { url: "", key: "" };
  const data = mkdtempSync(join(tmpdir(), "cairn-atlas-"));
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    const port = await freePort();
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("CAIRN_"));
    const env = {
      ...Object.fromEntries(own),
      CAIRN_REST__SCHEMAS: '["public", "atlas"]',
      CAIRN_REST__PLANS: "true",
      CAIRN_REST__ALLOW_ROLLBACK: "true",
    };
    const cairn = ["-m", "cairn"];
    server = spawn(PYTHON, [...cairn, "serve", "--no-worker", `--data=${data}`, "--port", String(port)], {
      env,
      cwd: ROOT,
      stdio: "inherit",
    });
    await answering(`http://127.0.0.1:${port}/auth/v1/health`);
    const told = execFileSync(PYTHON, [...cairn, "keys", "--json", `--data=${data}`], { env, cwd: ROOT });
    const keys = JSON.parse(told.toString());
    execFileSync(PYTHON, ["-c", LOAD, keys.db_url, join(ROOT, "tests/rest/atlas.sql")]);
    Object.assign(world, { url: keys.url, key: keys.anon_key });
  });

  afterAll(async () => {
    const ended = new Promise((done) => server?.once("exit", done));
    server?.kill("SIGINT");
    await ended;
    rmSync(data, { recursive: true, force: true });
  });
  return world;
}

const OPTIONS = {
  db: { schema: "atlas" as const },
  auth: { persistSession: false, autoRefreshToken: false },
};

export type AtlasClient = ReturnType<typeof newest>;

export function client(world: Atlas, version: Version): AtlasClient {
  if (version === "newest") return newest(world);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two differ in types, not in the calls made here
  return createOldClient(world.url, world.key, OPTIONS) as unknown as AtlasClient;
}

function newest(world: Atlas) {
  return createClient(world.url, world.key, OPTIONS);
}

/** What the clients have no word for is asked as they would ask it. */
export async function ask(world: Atlas, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { apikey: world.key, "Accept-Profile": "atlas", "Content-Profile": "atlas" };
  return fetch(`${world.url}/rest/v1${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

async function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const answered = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answered) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`nothing answers at ${url}`);
}
