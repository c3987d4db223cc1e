import { Skeleton } from "~/ui/skeleton";
import { cell } from "./directory-row";

/** Rows on their way, where they will stand and as high as they will be. */
export function LoadingWaivers({ height, isWide }: { height: number; isWide: boolean }) {
  return Array.from({ length: 8 }, (_, index) => (
    <tr key={index} style={{ height }}>
      <td className="border-b border-line ps-1 sm:ps-2">
        <Skeleton className="mx-auto size-4.5 rounded-sm" />
      </td>
      {isWide && (
        <td className={cell}>
          <Skeleton className="h-4 w-3/4" />
        </td>
      )}
      <td className={cell}>
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="mt-2 h-3.5 w-5/6" />
        {!isWide && <Skeleton className="mt-2.5 h-5 w-1/2" />}
      </td>
      {isWide && (
        <>
          <td className={cell}>
            <Skeleton className="h-6 w-20" />
          </td>
          <td className={cell}>
            <Skeleton className="h-4 w-20" />
          </td>
        </>
      )}
      <td className={cell}>
        <Skeleton className="mx-3 h-4 w-10" />
      </td>
    </tr>
  ));
}
