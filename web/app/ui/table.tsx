import { cx } from "class-variance-authority";
import type { ComponentProps } from "react";
import { Skeleton } from "./skeleton";

export function Table({ className, ...rest }: ComponentProps<"table">) {
  return (
    <div className="overflow-x-auto">
      <table
        className={cx("w-full border-collapse text-start text-[0.9375rem] tabular-nums", className)}
        {...rest}
      />
    </div>
  );
}

export function HeadCell({ className, ...rest }: ComponentProps<"th">) {
  return (
    <th
      scope="col"
      className={cx(
        "border-b border-line px-4 py-2.5 text-start text-[0.8125rem] font-medium text-muted sm:px-5",
        className,
      )}
      {...rest}
    />
  );
}

export function Row({ className, ...rest }: ComponentProps<"tr">) {
  return <tr className={cx("border-b border-line last:border-0 hover:bg-sunken/50", className)} {...rest} />;
}

export function Cell({ className, ...rest }: ComponentProps<"td">) {
  return <td className={cx("h-14 px-4 py-2 align-middle sm:px-5", className)} {...rest} />;
}

/** Shows placeholder rows while the data is loading. */
export function LoadingRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, index) => (
    <Row key={index}>
      <Cell colSpan={columns}>
        <Skeleton className="h-6 w-full" />
      </Cell>
    </Row>
  ));
}
