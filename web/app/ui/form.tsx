import type { ComponentProps } from "react";

type Props = Omit<ComponentProps<"form">, "onSubmit"> & { onSubmit: (form: HTMLFormElement) => void };

/**
 * A form that is submitted by script and shows its own errors. With POST, a submission before the script has loaded
 * does not put the fields into the address.
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
