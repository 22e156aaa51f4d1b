import type { ReactNode } from 'react';

interface Props {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
  /** In a rail of facts */
  readonly isNarrow?: boolean;
}

/** Names with values, one below the other. */
export function Facts({ rows, isNarrow = false }: Props) {
  return (
    <dl className={isNarrow ? 'facts narrow' : 'facts'}>
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
