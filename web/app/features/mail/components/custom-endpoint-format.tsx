const EXAMPLE_REQUEST = `{
  "to": "guest@example.com",
  "subject": "Please sign: River day Waiver",
  "body": "Hello …",
  "attachmentType": "link"
}`;

/** Describes the requests that a custom endpoint receives. */
export function CustomEndpointFormat() {
  return (
    <div className="rounded-control border border-line px-4 py-3 text-sm text-muted">
      <p>
        Each message is sent there by POST as JSON with <Code>to</Code>, <Code>subject</Code>,{" "}
        <Code>body</Code> and <Code>attachmentType</Code> (link or pdf). With a PDF there is also{" "}
        <Code>attachment</Code>: <Code>filename</Code>, <Code>contentType</Code> and <Code>content</Code> in
        base64.
      </p>
      <pre
        tabIndex={0}
        aria-label="Example of a message"
        className="mt-2 overflow-x-auto rounded bg-sunken p-3 text-foreground"
      >
        {EXAMPLE_REQUEST}
      </pre>
      <p className="mt-2">
        Any response of 200 to 299 counts as delivered. A retried message has the same{" "}
        <Code>Idempotency-Key</Code> header.
      </p>
    </div>
  );
}

function Code({ children }: { children: string }) {
  return <code className="text-foreground">{children}</code>;
}
