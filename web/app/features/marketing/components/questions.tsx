import { Plus } from "lucide-react";
import type { Question } from "~/content/faq";

/** Each answer opens without a script and can be found with the browser's search. */
export function Questions({ questions }: { questions: Question[] }) {
  return (
    <div className="grid gap-x-14 md:grid-cols-2">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group border-t border-line py-1">
          <summary className="flex min-h-14 cursor-pointer list-none items-center gap-4 py-3 text-lg font-medium [&::-webkit-details-marker]:hidden">
            <span className="grow">{question}</span>
            <Plus
              className="size-5 shrink-0 text-forest transition-transform duration-150 group-open:rotate-45"
              aria-hidden
            />
          </summary>
          <p className="pb-5 text-pretty text-muted">{answer}</p>
        </details>
      ))}
    </div>
  );
}
