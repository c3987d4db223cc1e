import { ChevronRight, CircleAlert, Copy, GripVertical, MoveDown, MoveUp, Trash2 } from "lucide-react";
import { useState, type DragEvent } from "react";
import type { Form, Question } from "~/lib/waiver-form/types";
import { Badge } from "~/ui/badge";
import { nameOf } from "../changes";
import { conditionText } from "../conditions";
import type { CardActions } from "../card-actions";
import type { Item } from "../edited-form";
import { flagText } from "../flags";
import { AUDIENCE_NAMES, audienceOf, KIND_NAMES } from "../kinds";
import type { Problem } from "../problems";
import { CardButton } from "./card-button";
import { QuestionFields } from "./question-fields";

type Props = {
  item: Item;
  position: number;
  form: Form;
  problems: Problem[];
  /** True after a failed attempt to save: an open card then also shows which fields are empty. A closed card always does. */
  showsEmptyFields: boolean;
  isOpen: boolean;
  /** The label field of a new question gets the focus. */
  isNew: boolean;
  actions: CardActions;
};

const DRAG_TYPE = "application/x-cairn-question";

export function QuestionCard(props: Props) {
  const { item, position, form, problems, showsEmptyFields, isOpen, isNew, actions } = props;
  const { question } = item;
  const name = nameOf(question);
  const shownProblems = problems.filter(({ isEmptyField }) => !isEmptyField || showsEmptyFields || !isOpen);
  const { isTarget, ...dropHandlers } = useDropTarget((id) => actions.move(id, position));
  return (
    <li
      {...dropHandlers}
      className={`rounded-card border bg-surface ${isTarget ? "border-forest" : "border-line"}`}
    >
      <div className="flex flex-wrap items-center gap-x-1 px-2 py-1.5">
        {/* Dragging is for the mouse only. With a keyboard or on a touch screen, the buttons below move a question. */}
        <span
          aria-hidden
          draggable
          onDragStart={(event) => {
            event.dataTransfer.setData(DRAG_TYPE, String(item.id));
            event.dataTransfer.effectAllowed = "move";
          }}
          className="grid h-11 w-6 cursor-grab place-items-center text-muted max-md:hidden [&_svg]:size-4"
        >
          <GripVertical />
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => actions.toggle(item)}
          className="flex min-h-11 min-w-0 grow basis-64 items-center gap-2 rounded-lg px-1 text-start font-medium"
        >
          <ChevronRight
            className={`size-4.5 shrink-0 transition-transform ${isOpen ? "rotate-90" : ""}`}
            aria-hidden
          />
          <span className="text-muted tabular-nums">{position + 1}.</span>
          <span dir="auto" className="line-clamp-2 min-w-0 wrap-break-word">
            {name}
          </span>
        </button>
        <div role="group" aria-label={`Change '${name}'`} className="ms-auto flex">
          <CardButton
            label={`Move up: ${name}`}
            icon={MoveUp}
            isDisabled={position === 0}
            onClick={() => actions.move(item.id, position - 1)}
          />
          <CardButton
            label={`Move down: ${name}`}
            icon={MoveDown}
            isDisabled={position === form.questions.length - 1}
            onClick={() => actions.move(item.id, position + 1)}
          />
          <CardButton label={`Duplicate: ${name}`} icon={Copy} onClick={() => actions.duplicate(item)} />
          <CardButton label={`Remove: ${name}`} icon={Trash2} onClick={() => actions.remove(item)} />
        </div>
      </div>
      {!isOpen && <Summary question={question} form={form} problems={shownProblems} />}
      {isOpen && (
        <QuestionFields
          item={item}
          position={position}
          form={form}
          problems={shownProblems}
          isNew={isNew}
          actions={actions}
        />
      )}
    </li>
  );
}

type SummaryProps = { question: Question; form: Form; problems: Problem[] };

function Summary({ question, form, problems }: SummaryProps) {
  const earlier = form.questions.find(({ key }) => key === question.show_if?.question);
  return (
    <div className="flex flex-col gap-1.5 px-4 pb-3 text-sm text-muted md:ps-10">
      <p className="flex flex-wrap gap-1.5">
        <Badge>{KIND_NAMES[question.kind]}</Badge>
        {audienceOf(question) !== "signer" && <Badge>{AUDIENCE_NAMES[audienceOf(question)]}</Badge>}
        {question.required && <Badge>Required</Badge>}
        {question.sensitive && <Badge tone="amber">Sensitive</Badge>}
      </p>
      {question.show_if && earlier && <p dir="auto">{conditionText(question.show_if, earlier)}</p>}
      {question.flag && <p dir="auto">{flagText(question, question.flag)}</p>}
      {problems.map(({ text }) => (
        <p key={text} className="flex items-start gap-1.5 font-medium text-red-text">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          {text}
        </p>
      ))}
    </div>
  );
}

function useDropTarget(onDrop: (id: number) => void) {
  const [isTarget, setTarget] = useState(false);
  return {
    isTarget,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
      event.preventDefault();
      setTarget(true);
    },
    onDragLeave: () => setTarget(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setTarget(false);
      const id = event.dataTransfer.getData(DRAG_TYPE);
      if (id) onDrop(Number(id));
    },
  };
}
