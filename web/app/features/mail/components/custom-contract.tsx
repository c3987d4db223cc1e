const EXAMPLE = `{
  "to": "guest@example.com",
  "subject": "Please sign: River trip Waiver",
  "body": "Hello …",
  "attachmentType": "link"
}`;

/** What a server of the company's own has to understand. */
export function CustomContract() {
  return (
    <div className="rounded-control border border-line px-4 py-3 text-sm text-muted">
      <p>
        Each message is sent there by POST as JSON with <Word>to</Word>, <Word>subject</Word>,{" "}
        <Word>body</Word> and <Word>attachmentType</Word> (link or pdf). With a PDF there is also{" "}
        <Word>attachment</Word>: <Word>filename</Word>, <Word>contentType</Word> and <Word>content</Word> in
        base64.
      </p>
      <pre
        tabIndex={0}
        aria-label="Example of a message"
        className="mt-2 overflow-x-auto rounded bg-sunken p-3 text-foreground"
      >
        {EXAMPLE}
      </pre>
      <p className="mt-2">
        Any answer of 200 to 299 counts as delivered. A message that is tried again has the same{" "}
        <Word>Idempotency-Key</Word> header.
      </p>
    </div>
  );
}

function Word({ children }: { children: string }) {
  return <code className="text-foreground">{children}</code>;
}
