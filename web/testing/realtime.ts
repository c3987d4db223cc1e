import { vi } from "vitest";

/** One message on the line: join reference, reference, topic, event, payload. */
type Frame = [string | null, string | null, string, string, Payload];
type Payload = { [fact: string]: unknown; config?: { postgres_changes: object[] } };

let heard: Frame[] = [];
const sockets: FakeSocket[] = [];

/**
 * Stands where the websocket's server is: it lets everyone in and says what the test wants said. The app keeps one
 * line for as long as it runs, so this one, too, outlives a test.
 */
export function openFakeRealtime() {
  heard = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  return {
    joined: () => heard.filter(([, , , event]) => event === "phx_join"),
    insert: (topic: string, table: string, record: object) =>
      sockets
        .at(-1)
        ?.tell([null, null, topic, "postgres_changes", { ids: [1], data: change(table, record) }]),
    drop: () => sockets.at(-1)?.close(1006),
  };
}

class FakeSocket {
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    sockets.push(this);
    setTimeout(() => {
      this.readyState = 1;
      this.onopen?.();
    });
  }
  send(text: string) {
    const frame: Frame = JSON.parse(text);
    heard.push(frame);
    const [join, ref, topic, event, payload] = frame;
    const response = event === "phx_join" ? accept(payload) : {};
    this.tell([join, ref, topic, "phx_reply", { status: "ok", response }]);
  }
  tell(frame: Frame) {
    setTimeout(() => this.onmessage?.({ data: JSON.stringify(frame) }));
  }
  close(code = 1000) {
    this.readyState = 3;
    setTimeout(() => this.onclose?.({ code }));
  }
}

/** The server repeats what was asked for and numbers it. */
function accept({ config }: Payload) {
  return { postgres_changes: config?.postgres_changes.map((asked) => ({ ...asked, id: 1 })) };
}

function change(table: string, record: object) {
  const columns = Object.keys(record).map((name) => ({ name, type: "text" }));
  const about = {
    schema: "public",
    table,
    type: "INSERT",
    commit_timestamp: "2026-03-04T12:00:00Z",
    errors: null,
  };
  return { ...about, columns, record };
}
