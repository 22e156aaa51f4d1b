import type { ReactNode } from 'react';

/** Names with values, one below the other. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <Row key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Row({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
