import { FileUp } from "lucide-react";
import { useEffect, useRef, useState, type DragEvent } from "react";

type Props = { onFile: (file: File) => void; busy: boolean };

/** The whole area is the label of the file input, so it also works with click, touch and keyboard. */
export function DropZone({ onFile, busy }: Props) {
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const takeFile = () => {
    const file = field.current?.files?.[0];
    // The field is reset, so that the same file can be chosen again.
    if (field.current) field.current.value = "";
    if (file) onFile(file);
  };
  // If the user chose a file before the script was loaded, there was no change event.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(takeFile, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is one way among three
    <label
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className="flex cursor-pointer flex-col items-center rounded-card border-2 border-dashed border-edge/60 bg-surface px-6 py-12 text-center transition-colors hover:border-forest has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-forest data-[over=true]:border-forest data-[over=true]:bg-forest-soft"
    >
      <FileUp className="size-9 text-forest" strokeWidth={1.5} aria-hidden />
      <span className="mt-4 text-lg font-semibold">Choose a PDF</span>
      <span className="mt-1 text-muted">or drop it here. It is checked and not kept.</span>
      <input
        ref={field}
        type="file"
        accept="application/pdf,.pdf"
        className="sr-only"
        disabled={busy}
        onChange={takeFile}
      />
    </label>
  );
}
