/** Reserves the space of content that is loading. */
export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div className="stack" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="skeleton" />
      ))}
    </div>
  );
}
