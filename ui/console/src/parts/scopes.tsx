import { useTexts } from '../texts/texts.tsx';
import { Tag, type Tone } from './state.tsx';

interface Props {
  readonly scopes: readonly string[];
  /** What no scopes mean. */
  readonly none?: string;
  /** More are counted only. */
  readonly most?: number;
  readonly toneOf?: (scope: string) => Tone | undefined;
}

export function Scopes({ scopes, none, most = 100, toneOf }: Props) {
  const { say, number } = useTexts();
  if (scopes.length === 0) return <span className="muted">{none ?? say('none')}</span>;
  const rest = scopes.length - most;
  return (
    <ul className="chips">
      {scopes.slice(0, most).map((scope) => (
        <li key={scope}>
          <Tag tone={toneOf?.(scope)}>{scope}</Tag>
        </li>
      ))}
      {rest > 0 && (
        <li className="muted">
          <bdi>+{number(rest)}</bdi>
        </li>
      )}
    </ul>
  );
}
