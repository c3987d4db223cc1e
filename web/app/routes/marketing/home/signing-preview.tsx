import { Check } from "lucide-react";

/** The moment the product is about, drawn rather than photographed: a waiver on a phone, just signed. */
export function SigningPreview() {
  return (
    <figure aria-hidden className="relative mx-auto w-full max-w-sm select-none lg:me-0">
      <div className="rounded-[2rem] border border-line bg-surface p-6 shadow-lift">
        <p className="text-sm font-medium text-forest-ink">Rio Rafting</p>
        <p className="mt-1 text-xl font-semibold">General Liability Waiver</p>
        <div className="mt-4 space-y-2.5">
          {["w-full", "w-11/12", "w-full", "w-10/12", "w-full", "w-7/12"].map((width, index) => (
            <div key={index} className={`h-2 rounded-full bg-line ${width}`} />
          ))}
        </div>
        <div className="mt-6 rounded-xl border border-dashed border-edge/70 bg-ground px-4 pt-2 pb-3">
          <svg
            viewBox="0 0 260 76"
            className="w-full text-ink"
            fill="none"
            stroke="currentColor"
            strokeWidth="2.4"
            strokeLinecap="round"
            strokeLinejoin="round"
          >
            <path d="M18 55c10-24 24-42 36-41 9 1 3 16-7 25-8 7-19 9-17 3 3-8 22-12 33-8 6 3-6 17-4 20 3 4 14-18 18-20 3-1-3 14 1 14 6 0 12-34 18-43-4 15-11 36-8 42 4 4 13-12 20-12 6 0-1 12 5 12 9 0 16-22 22-20 4 2-8 20-2 21 8 1 14-28 22-46-5 18-14 44-9 47 8 2 16-16 24-16 5 0-1 12 5 12 10 0 22-12 44-9" />
          </svg>
          <div className="h-px bg-edge/60" />
          <p className="mt-1.5 text-xs text-ink-soft">Drawn with a finger</p>
        </div>
        <div className="mt-5 grid h-12 place-items-center rounded-control bg-forest font-medium text-on-forest">
          Sign Waiver
        </div>
      </div>
      <div className="absolute -end-2 -bottom-9 flex items-center gap-2.5 rounded-card border border-line bg-surface py-3 ps-3.5 pe-5 shadow-lift sm:-end-6">
        <span className="grid size-8 place-items-center rounded-full bg-forest text-on-forest">
          <Check className="size-4.5" />
        </span>
        <span className="text-sm">
          <span className="block font-medium">New Waiver Signed</span>
          <span className="text-ink-soft">Gil, just now</span>
        </span>
      </div>
    </figure>
  );
}
