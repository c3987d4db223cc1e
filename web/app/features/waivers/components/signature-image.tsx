import type { SignedRecord } from "../api/signed-waiver";

export function SignatureImage({ waiver }: { waiver: SignedRecord }) {
  return (
    <figure>
      <figcaption className="text-sm text-muted">Signature</figcaption>
      {/* The signature is black, so its background stays white in the dark theme. */}
      <div className="mt-1.5 rounded-control border border-line bg-white p-3">
        <img src={waiver.signature} alt={`Signature of ${waiver.signer_name}`} className="mx-auto max-h-40" />
      </div>
    </figure>
  );
}
