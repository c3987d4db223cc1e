import type { ComponentProps } from "react";

type Props = Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit: (form: HTMLFormElement) => void };

/**
 * Renders a form that is submitted by script and shows its own errors. The method is POST, so that a submission before
 * the script has loaded does not put the fields into the URL.
 */
export function Form({ onSubmit, ...rest }: Props) {
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
      {...rest}
    />
  );
}
