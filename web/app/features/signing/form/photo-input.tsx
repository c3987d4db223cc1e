import { useState, type ChangeEvent } from "react";
import type { FieldProps } from "./form-field";
import { shrinkPhoto } from "./shrink-photo";

type Props = { label: string; photo: string; onPhoto: (photo: string) => void; fieldProps: FieldProps };

/** Accepts a photo from the camera of a phone or from a file, and shrinks it. */
export function PhotoInput({ label, photo, onPhoto, fieldProps }: Props) {
  const [problem, setProblem] = useState("");
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (!file) return;
    const smallPhoto = await shrinkPhoto(file);
    setProblem(smallPhoto ? "" : "This file is not a photo that can be used. Please choose another one.");
    if (smallPhoto) onPhoto(smallPhoto);
  };
  return (
    <div className="photo">
      {photo && <img src={photo} alt="What you have chosen" />}
      <input
        type="file"
        accept="image/*"
        aria-label={label}
        {...fieldProps}
        onChange={(event) => void choose(event)}
      />
      {photo && (
        <button type="button" className="quiet" onClick={() => onPhoto("")}>
          Remove the photo
        </button>
      )}
      {problem && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
