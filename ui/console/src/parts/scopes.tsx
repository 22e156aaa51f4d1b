import { useTexts } from '../texts/texts.tsx';

interface Props {
  readonly scopes: readonly string[];
  /** What no scopes mean. */
  readonly none?: string;
  /** More are counted only. */
  readonly most?: number;
}

export function Scopes({ scopes, none, most = 100 }: Props) {
  const { say } = useTexts();
  if (scopes.length === 0) return <span className="muted">{none ?? say('none')}</span>;
  const rest = scopes.length - most;
  return (
    <ul className="chips">
      {scopes.slice(0, most).map((scope) => (
        <li key={scope}>
          <bdi>{scope}</bdi>
        </li>
      ))}
      {rest > 0 && <li>{say('andMore', { count: rest })}</li>}
    </ul>
  );
}
