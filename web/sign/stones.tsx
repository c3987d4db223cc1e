/** Three stones that mark a safe way. */
export function Stones() {
  return (
    <svg className="stones" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <path d="M12 5c3-2 8-1 9 2s-2 5-6 5-6-4-3-7ZM8 14c4-2 13-2 16 0s2 6-2 7-10 1-14 0-4-5 0-7ZM5 23c6-2 17-2 22 0s3 6-2 7-14 1-19 0-6-5-1-7Z" />
    </svg>
  );
}
