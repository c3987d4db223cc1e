import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { facts, finding, type Verdict } from "../model";

const LOOKS = {
  good: { icon: CircleCheck, box: "border-forest/40 bg-forest-soft", ink: "text-forest-ink" },
  doubtful: { icon: CircleAlert, box: "border-amber-ink/25 bg-amber-soft", ink: "text-amber-ink" },
  bad: { icon: CircleX, box: "border-red/30 bg-red-soft", ink: "text-red-ink" },
};

export function VerdictCard({ verdict, fileName }: { verdict: Verdict; fileName: string | null }) {
  const { tone, title, text } = finding(verdict);
  const { icon: Icon, box, ink } = LOOKS[tone];
  return (
    <div className={`rounded-card border p-6 ${box}`}>
      <h2 className={`flex items-start gap-3 text-xl font-semibold ${ink}`}>
        <Icon className="mt-0.5 size-6 shrink-0" aria-hidden />
        {title}
      </h2>
      <p className="mt-2">{text}</p>
      {fileName && (
        <p className="mt-2 text-sm break-all text-ink-soft">
          Checked file: <bdi>{fileName}</bdi>
        </p>
      )}
      <dl className="mt-4 grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        {facts(verdict).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm text-ink-soft sm:pt-0.5">{name}</dt>
            <dd dir="auto" className="font-medium break-all max-sm:mb-2">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
