import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { useVerdict, type CheckState } from "~/features/verifying/api/use-verdict";
import type { VerifyRequest } from "~/features/verifying/api/verify-document";
import { DropZone } from "~/features/verifying/components/drop-zone";
import { VerdictCard } from "~/features/verifying/components/verdict-card";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { Failure } from "~/ui/failure";

export const meta = () =>
  publicHead({
    title: "Verify a document · Cairn",
    description: "See whether a signed waiver is the sealed, unchanged record. No account needed.",
    path: paths.verify,
  });

export default function Verify() {
  const [query] = useSearchParams();
  const printedId = query.get("waiver");
  const { check, verify } = useVerdict();
  useEffect(() => {
    if (printedId) void verify({ waiverId: printedId });
  }, [printedId, verify]);

  return (
    <main id="main" className="mx-auto w-full max-w-2xl px-5 py-14 sm:py-20">
      <h1 className="font-display text-4xl font-bold tracking-tight">Verify a document</h1>
      <p className="mt-3 mb-8 text-lg text-muted">
        See whether a signed waiver is the sealed, unchanged record. You do not need an account.
      </p>
      <div aria-live="polite" className="mb-6 empty:hidden">
        <Result check={check} onRetry={(request) => void verify(request)} />
      </div>
      <DropZone onFile={(file) => void verify(file)} busy={check.phase === "checking"} />
      <p className="mt-6 text-sm text-muted">
        The seal shows that a document was not changed after it was signed here. It is a simple electronic
        signature with integrity protection, and no legal advice.
      </p>
    </main>
  );
}

function Result({ check, onRetry }: { check: CheckState; onRetry: (request: VerifyRequest) => void }) {
  switch (check.phase) {
    case "idle":
      return null;
    case "checking":
      return <p className="rounded-card border border-line bg-surface p-6">Checking the document...</p>;
    case "done":
      return <VerdictCard verdict={check.verdict} fileName={check.fileName} />;
    case "failed":
      return (
        <Failure title="The document could not be checked" onRetry={() => onRetry(check.request)}>
          {check.reason}
        </Failure>
      );
  }
}
