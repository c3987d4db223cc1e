type Props = {
  text: string;
  consentedAt: string;
  problemId: string | undefined;
  onConsent: (consentedAt: string) => void;
};

/** The box is never ticked in advance. The time at which the guest ticks it is stored with the signature. */
export function ConsentBox({ text, consentedAt, problemId, onConsent }: Props) {
  return (
    <label className="consent">
      <input
        name="consent"
        type="checkbox"
        checked={!!consentedAt}
        aria-required="true"
        aria-invalid={problemId !== undefined}
        aria-describedby={problemId}
        onChange={(event) => onConsent(event.target.checked ? new Date().toISOString() : "")}
      />
      <span>{text}</span>
    </label>
  );
}
