import { Plus } from "lucide-react";
import { useState } from "react";
import type { QuestionKind } from "~/lib/waiver-form/types";
import { Button } from "~/ui/button";
import { BLOCKS } from "../blocks";
import { blankQuestion, type NewQuestion } from "../changes";
import { KIND_CHOICES } from "../kinds";
import { MAX_QUESTIONS } from "../problems";
import { SelectField } from "./select-field";

type Props = { count: number; onAdd: (questions: NewQuestion[]) => void };

/** Adds a question of a chosen kind, or the questions of a ready-made block. */
export function AddQuestions({ count, onAdd }: Props) {
  const [kind, setKind] = useState<QuestionKind>("yes_no");
  const remaining = MAX_QUESTIONS - count;
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line bg-sunken/40 p-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow sm:max-w-80">
          <SelectField label="Kind of question" choices={KIND_CHOICES} value={kind} onChange={setKind} />
        </div>
        <Button
          variant="secondary"
          className="md:h-11"
          disabled={remaining < 1}
          onClick={() => onAdd([blankQuestion(kind)])}
        >
          <Plus aria-hidden /> Add question
        </Button>
      </div>
      <div role="group" aria-label="Ready-made questions">
        <p className="text-sm font-medium">Ready-made questions</p>
        <div className="mt-2 flex flex-wrap gap-2">
          {BLOCKS.map(({ name, questions }) => (
            <button
              key={name}
              type="button"
              disabled={remaining < questions.length}
              onClick={() => onAdd(questions)}
              className="inline-flex h-11 items-center gap-1 rounded-full bg-forest-soft px-3 text-sm font-medium text-forest-text hover:bg-forest hover:text-on-forest disabled:opacity-60 md:h-9 [&_svg]:size-3.5"
            >
              <Plus aria-hidden />
              {name}
            </button>
          ))}
        </div>
      </div>
      {remaining < 1 && (
        <p className="text-sm text-muted">A form can have at most {MAX_QUESTIONS} questions.</p>
      )}
    </div>
  );
}
