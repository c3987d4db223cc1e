import { useRef, useState } from "react";
import { useIsTextingOffered } from "~/lib/texting";
import { paths } from "~/paths";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { LinkButton } from "~/ui/link-button";
import { listProblem, type ListRow } from "../list/build-rows";
import { changeListDraft, forgetListDraft, useListDraft, type ListDraft } from "../list/list-draft";
import { newRun, type UnsentRow } from "../list/list-run";
import { makePreview, tableText, withChangesOf } from "../list/preview";
import { closeRun, startRun, useListRun } from "../list/run-store";
import type { SendableTemplate } from "../model";
import { ListPreview } from "./list-preview";
import { ListRunView } from "./list-run-view";
import type { SendOptions } from "./list-send-form";
import { ListSource } from "./list-source";
import { useFocusIfLost } from "./use-focus-if-lost";

/** Who sends the list. */
export type ListOwner = { userId: string; companyId: string };

type Props = {
  owner: ListOwner;
  templates: SendableTemplate[];
  template: SendableTemplate | undefined;
  onTemplate: (id: string) => void;
  waiversThisMonth: number | null | undefined;
};

/** Asks for a list, shows its preview, sends it, and shows the outcome of each row. */
export function ListPage(props: Props) {
  const { owner, templates, template } = props;
  const withPhoneNumbers = useIsTextingOffered();
  const { run, isSending, pause } = useListRun();
  const draft = useListDraft(owner.userId);
  const page = useRef<HTMLDivElement>(null);
  useFocusIfLost(page, `${run !== null} ${draft.isPreviewShown}`);

  const fix = (rows: UnsentRow[]) => {
    const text = tableText(rows, withPhoneNumbers);
    const preview = makePreview(text, withPhoneNumbers, ",");
    const { message, asPdf } = run ?? draft;
    changeListDraft(owner.userId, { text, preview, isPreviewShown: true, message, asPdf });
    closeRun();
  };
  return (
    <div ref={page} tabIndex={-1} role="group" aria-label="List" className="flex flex-col gap-5 outline-none">
      {run && (
        <ListRunView
          run={run}
          isSending={isSending}
          pause={pause}
          template={templates.find(({ id }) => id === run.templateId)}
          onFix={fix}
        />
      )}
      {!run && !template && <NoTemplate />}
      {!run && template && (
        <NewList {...props} template={template} withPhoneNumbers={withPhoneNumbers} draft={draft} />
      )}
    </div>
  );
}

function NoTemplate() {
  return (
    <Card>
      <EmptyState
        title="There is no waiver to send yet"
        action={<LinkButton to={paths.templates}>Go to your waivers</LinkButton>}
      >
        Write a waiver first, or restore one from the archive. Then you can send it to a list.
      </EmptyState>
    </Card>
  );
}

type NewListProps = Props & { template: SendableTemplate; withPhoneNumbers: boolean; draft: ListDraft };

function NewList(props: NewListProps) {
  const { owner, templates, template, onTemplate, waiversThisMonth, withPhoneNumbers, draft } = props;
  const change = (fields: Partial<ListDraft>) => changeListDraft(owner.userId, fields);
  const [problem, setProblem] = useState<string>();

  const showPreview = (text: string) => {
    const next = makePreview(text, withPhoneNumbers);
    const newProblem = listProblem(next.table.rows.length - (next.columns.hasHeading ? 1 : 0));
    setProblem(newProblem);
    if (newProblem) return;
    const { preview } = draft;
    const kept = preview && (preview.text === text ? preview : withChangesOf(preview, next));
    change({ preview: kept ?? next, isPreviewShown: true });
  };
  const send = (rows: ListRow[], { message, asPdf }: SendOptions) => {
    const { id: templateId, name: templateName } = template;
    void startRun(newRun({ ...owner, templateId, templateName, message, asPdf, rows }), template);
    // When the outcome is closed, the page is ready for another list.
    forgetListDraft();
  };
  if (!draft.preview || !draft.isPreviewShown)
    return (
      <Card className="p-4 sm:p-6">
        <ListSource
          templates={templates}
          templateId={template.id}
          onTemplate={onTemplate}
          text={draft.text}
          onText={(text) => change({ text })}
          problem={problem}
          onPreview={showPreview}
        />
      </Card>
    );
  return (
    <ListPreview
      template={template}
      preview={draft.preview}
      onPreview={(preview) => change({ preview })}
      withPhoneNumbers={withPhoneNumbers}
      waiversThisMonth={waiversThisMonth}
      options={draft}
      onOptions={change}
      onBack={() => change({ isPreviewShown: false })}
      onSend={send}
    />
  );
}
