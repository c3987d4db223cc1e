import { vi } from "vitest";

/** A Phoenix message consists of join reference, reference, topic, event and payload. */
type Frame = [string | null, string | null, string, string, Payload];
type Payload = { [field: string]: unknown; config?: { postgres_changes: object[] } };

let receivedFrames: Frame[] = [];
const sockets: FakeSocket[] = [];

/**
 * Replaces the WebSocket with a server that accepts every channel and sends the changes that the test inserts. The app
 * keeps one connection for as long as it runs, so the sockets outlive a test.
 */
export function openFakeRealtime() {
  receivedFrames = [];
  vi.stubGlobal("WebSocket", FakeSocket);
  return {
    joins: () => receivedFrames.filter(([, , , event]) => event === "phx_join"),
    insert: (topic: string, table: string, record: object) =>
      sockets
        .at(-1)
        ?.receive([null, null, topic, "postgres_changes", { ids: [1], data: insertChange(table, record) }]),
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
    receivedFrames.push(frame);
    const [joinRef, ref, topic, event, payload] = frame;
    const response = event === "phx_join" ? acceptJoin(payload) : {};
    this.receive([joinRef, ref, topic, "phx_reply", { status: "ok", response }]);
  }
  receive(frame: Frame) {
    setTimeout(() => this.onmessage?.({ data: JSON.stringify(frame) }));
  }
  close(code = 1000) {
    this.readyState = 3;
    setTimeout(() => this.onclose?.({ code }));
  }
}

/** The server returns the requested subscriptions with an id each. */
function acceptJoin({ config }: Payload) {
  return { postgres_changes: config?.postgres_changes.map((subscription) => ({ ...subscription, id: 1 })) };
}

function insertChange(table: string, record: object) {
  const columns = Object.keys(record).map((name) => ({ name, type: "text" }));
  return {
    schema: "public",
    table,
    type: "INSERT",
    commit_timestamp: "2026-03-04T12:00:00Z",
    errors: null,
    columns,
    record,
  };
}
