import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Failure } from "~/ui/failure";
import { Notice } from "~/ui/notice";
import { Skeleton } from "~/ui/skeleton";
import { startingTemplatesQuery } from "../api/starting-templates";
import type { StartingTemplate } from "../starting-templates";
import { GalleryList } from "./gallery-list";
import { StartingTemplatePreview } from "./starting-template-preview";
import type { RenderText } from "./template-form";

type Props = { renderText: RenderText; onUse: (template: StartingTemplate) => void };

/** Offers the starting templates: a list to search, and a preview of each text. */
export function TemplateGallery({ renderText, onUse }: Props) {
  const { data: templates, isError, isPaused, refetch } = useQuery(startingTemplatesQuery);
  const [preview, setPreview] = useState<StartingTemplate | null>(null);
  const openedCard = useRef<HTMLElement>(null);
  const closePreview = () => {
    // The list is hidden during the preview, and a hidden card cannot be focused.
    flushSync(() => setPreview(null));
    openedCard.current?.focus();
  };

  if (!templates) {
    // Without a network the query waits instead of failing.
    return isError || isPaused ? <LoadFailure onRetry={() => void refetch()} /> : <LoadingGallery />;
  }
  return (
    <>
      {/* The list stays mounted, so that its search and scroll position are kept. */}
      <div hidden={preview !== null}>
        <Notice icon={Scale} title="These are drafts.">
          They are a start, not legal advice. Have a lawyer who knows your activity and your state review the
          text before anyone signs it.
        </Notice>
        <GalleryList
          templates={templates}
          onPreview={(template, card) => {
            openedCard.current = card;
            setPreview(template);
          }}
        />
      </div>
      {preview && (
        <StartingTemplatePreview
          template={preview}
          renderText={renderText}
          onBack={closePreview}
          onUse={() => onUse(preview)}
        />
      )}
    </>
  );
}

function LoadingGallery() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading the templates</span>
      <Skeleton className="h-16" />
      <Skeleton className="h-28" />
      <Skeleton className="h-28" />
    </div>
  );
}

function LoadFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Failure title="The templates could not be loaded" onRetry={onRetry}>
      The server did not answer. You can also start from a blank page.
    </Failure>
  );
}
