import { useTexts } from '../texts/texts.tsx';
import { Copy } from './copy.tsx';

export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const { say } = useTexts();
  const text = JSON.stringify(value, undefined, 2);
  const isEmpty = text === '{}' || text === '[]' || text === undefined;
  if (isEmpty) return <span className="muted">{say('none')}</span>;
  return (
    <div className="boxed" dir="ltr">
      {/* A scrollable area must be reachable by keyboard. */}
      <pre className="json" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <Copy text={text} of={label} />
    </div>
  );
}
