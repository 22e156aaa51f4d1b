import { Copy } from './copy.tsx';

/** Shows an ID in full. It is read from left to right in every language. */
export function Id({ id, canCopy = false }: { readonly id: string; readonly canCopy?: boolean }) {
  const [, prefix = '', rest = id] = /^([a-z]+[:_])(.+)$/.exec(id) ?? [];
  return (
    <span className="id">
      <bdi className="mono">
        <span className="muted">{prefix}</span>
        {rest}
      </bdi>
      {canCopy && <Copy text={id} of={id} />}
    </span>
  );
}
