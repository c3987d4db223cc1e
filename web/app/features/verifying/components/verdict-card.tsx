import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { verdictDetails, describeVerdict, type Verdict } from "../model";

const STYLES = {
  good: { icon: CircleCheck, box: "border-forest/40 bg-forest-soft", color: "text-forest-text" },
  doubtful: { icon: CircleAlert, box: "border-amber-text/25 bg-amber-soft", color: "text-amber-text" },
  bad: { icon: CircleX, box: "border-red/30 bg-red-soft", color: "text-red-text" },
};

export function VerdictCard({ verdict, fileName }: { verdict: Verdict; fileName: string | null }) {
  const { tone, title, text } = describeVerdict(verdict);
  const { icon: Icon, box, color } = STYLES[tone];
  return (
    <div className={`rounded-card border p-6 ${box}`}>
      <h2 className={`flex items-start gap-3 text-xl font-semibold ${color}`}>
        <Icon className="mt-0.5 size-6 shrink-0" aria-hidden />
        {title}
      </h2>
      <p className="mt-2">{text}</p>
      {fileName && (
        <p className="mt-2 text-sm break-all text-muted">
          Checked file: <bdi>{fileName}</bdi>
        </p>
      )}
      <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        {verdictDetails(verdict).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm text-muted sm:pt-0.5">{name}</dt>
            <dd dir="auto" className="font-medium break-all max-sm:mb-2">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
