import { CircleHelp } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { relativeTime } from "~/lib/dates";
import { useNow } from "~/lib/use-now";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Notice, NoticeButton } from "~/ui/notice";
import { useWaitingRecipients } from "../api/waiting-recipients";
import { buildRows, type ListRow } from "../list/build-rows";
import { makePreview, withChoice, withColumn, withEdit, withHeading, type Preview } from "../list/preview";
import { addressProblem } from "../list/stored-recipient";
import type { SendableTemplate } from "../model";
import { ListColumns } from "./list-columns";
import { ListRows } from "./list-rows";
import { ListSendForm, type SendOptions } from "./list-send-form";

type Props = {
  preview: Preview;
  onPreview: (preview: Preview) => void;
  onBack: () => void;
  template: SendableTemplate;
  withPhoneNumbers: boolean;
  waiversThisMonth: number | null | undefined;
  options: SendOptions;
  onOptions: (options: Partial<SendOptions>) => void;
  onSend: (rows: ListRow[], options: SendOptions) => void;
};

/** Shows each row as it will be stored. The user can change what the columns contain, and fix or leave out rows. */
export function ListPreview(props: Props) {
  const { preview, onPreview, onBack, template, onSend, ...sendProps } = props;
  const { withPhoneNumbers } = sendProps;
  const { rows, isChecking, isUnknown, checkAgain } = useCheckedRows(preview, template.id, withPhoneNumbers);
  const title = useFocusOnce();
  return (
    <>
      <Card className="flex flex-col gap-4 p-4 sm:p-6" aria-label="List">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2
            ref={title}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 font-semibold wrap-break-word outline-none"
          >
            {template.name}
          </h2>
          <Button variant="secondary" size="sm" onClick={onBack}>
            Change the list
          </Button>
        </div>
        <ListColumns
          preview={preview}
          withPhoneNumbers={withPhoneNumbers}
          onRole={(column, role) => onPreview(withColumn(preview, column, role))}
          onHeading={(hasHeading) => onPreview(withHeading(preview, hasHeading, withPhoneNumbers))}
          onDelimiter={(delimiter) => onPreview(makePreview(preview.text, withPhoneNumbers, delimiter))}
        />
      </Card>
      {isUnknown && (
        <Notice
          tone="amber"
          icon={CircleHelp}
          action={<NoticeButton onClick={checkAgain}>Check again</NoticeButton>}
        >
          Whether some of them have this waiver already could not be checked.
        </Notice>
      )}
      <ListRows
        rows={rows}
        withPhoneNumbers={withPhoneNumbers}
        onEdit={(number, listed) => onPreview(withEdit(preview, number, listed))}
        onChoose={(numbers, choice) => onPreview(withChoice(preview, numbers, choice))}
      />
      <Card className="p-4 sm:p-6" aria-label="Send">
        <ListSendForm
          rows={rows}
          isChecking={isChecking}
          onSend={(options) => onSend(rows, options)}
          {...sendProps}
        />
      </Card>
    </>
  );
}

/** Also asks the server who has received the template already and not signed it. */
function useCheckedRows(preview: Preview, templateId: string, withPhoneNumbers: boolean) {
  const { table, columns, changes } = preview;
  const emails = useMemo(() => {
    const parsed = buildRows(table.rows, { columns, changes, withPhoneNumbers });
    const valid = parsed.map(({ email }) => email).filter((email) => !addressProblem(email));
    return [...new Set(valid)].toSorted();
  }, [table, columns, changes, withPhoneNumbers]);
  const query = useWaitingRecipients(templateId, emails);
  const { data: waitingSince, refetch } = query;
  const now = useNow();
  const rows = useMemo(() => {
    const sayWhen = (time: string) => relativeTime(new Date(time), now);
    const options = { columns, changes, withPhoneNumbers, sayWhen };
    return buildRows(table.rows, waitingSince ? { ...options, waitingSince } : options);
  }, [table, columns, changes, withPhoneNumbers, waitingSince, now]);
  const isChecking = query.fetchStatus === "fetching" && (!waitingSince || query.isPlaceholderData);
  const isUnknown = !isChecking && emails.length > 0 && (!waitingSince || query.isPlaceholderData);
  return { rows, isChecking, isUnknown, checkAgain: () => void refetch() };
}

/** The form with the list is gone, so the keyboard continues at the preview. */
function useFocusOnce() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return title;
}
