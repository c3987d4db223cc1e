import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll } from "vitest";

import { CREATE_CLIENT, type Version } from "./clients";
import { PYTHON, ROOT, startServer, type TestServer } from "./server";

/** This program executes an SQL file and tells the server to read the schema again. */
const LOAD_SQL_FILE = `
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

/** Starts a server that exposes `atlas`, a sample schema with rivers and countries that the Python tests also use. */
export function startAtlas(settings: Record<string, string> = {}): Atlas {
  const atlas: Atlas = { url: "", key: "" };
  let server: TestServer | undefined;

  beforeAll(async () => {
    server = await startServer({
      CAIRN_REST__SCHEMAS: '["public", "atlas"]',
      CAIRN_REST__PLANS: "true",
      CAIRN_REST__ALLOW_ROLLBACK: "true",
      CAIRN_REST__ANONYMOUS_PATTERNS: "true",
      ...settings,
    });
    const { url, anon_key, db_url } = server.keys;
    execFileSync(PYTHON, ["-c", LOAD_SQL_FILE, db_url, join(ROOT, "tests/rest/atlas.sql")]);
    Object.assign(atlas, { url, key: anon_key });
  });

  afterAll(() => server?.remove());
  return atlas;
}

const OPTIONS = {
  db: { schema: "atlas" as const },
  auth: { persistSession: false, autoRefreshToken: false },
};

/** Both versions of the library are used with the types of the newest one. */
export type AtlasClient = ReturnType<typeof newestClient>;

export function atlasClient({ url, key }: Atlas, version: Version): AtlasClient {
  return CREATE_CLIENT[version](url, key, OPTIONS);
}

function newestClient({ url, key }: Atlas) {
  return createClient(url, key, OPTIONS);
}

/** Sends a request without a client library, for features that the libraries do not support. */
export async function sendRequest(atlas: Atlas, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { apikey: atlas.key, "Accept-Profile": "atlas", "Content-Profile": "atlas" };
  return fetch(`${atlas.url}/rest/v1${path}`, { ...init, headers: { ...headers, ...init.headers } });
}
