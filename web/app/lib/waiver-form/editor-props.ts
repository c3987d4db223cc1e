/** Why the server refused a form: the place, such as `questions[2].label`, and what is wrong there. */
export type FormRefusal = { place: string; problem: string };

/** What the editor of a template gives to the editor of its form. */
export type FormEditorProps = {
  form: object | null;
  /** The form of the saved template. The editor does not change the keys of its questions. */
  savedForm: object | null;
  /** Whether the text has a place for initials. Guests are asked for initials only if there is a form. */
  hasInitials: boolean;
  refusal: FormRefusal | null;
  /** How often saving was tried although there are problems. Each time the first problem gets the focus. */
  failedAttempts: number;
  onChange: (form: object | null, hasProblems: boolean) => void;
};
