import { Card } from '../../parts/card.tsx';
import { Place } from '../../parts/place.tsx';
import { State } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Line } from './attention.ts';

/** The parts of the tenant that the lines link to. */
const PARTS = {
  keyEnds: 'signingKeys',
  keyOld: 'signingKeys',
  hookDisabled: 'webhooks',
  hookFails: 'webhooks',
  administrator: 'users',
  message: 'messages',
} as const;

/** Shows what needs attention. Renders nothing if nothing does. */
export function AttentionCard({ lines }: { readonly lines: readonly Line[] }) {
  const { say } = useTexts();
  if (lines.length === 0) return null;
  return (
    <Card title={say('attention')}>
      <ul className="checks">
        {lines.map(({ kind, count, to, search }) => (
          <li key={kind}>
            <span>
              <State word={say(PARTS[kind])} tone={kind === 'keyEnds' ? 'brass' : 'bad'} />
            </span>
            <span>
              <Place to={to} {...(search && { search })}>
                {say(`attention.${kind}`, { count })}
              </Place>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
