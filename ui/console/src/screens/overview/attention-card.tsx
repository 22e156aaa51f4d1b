import { classesOf } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { Line } from './attention.ts';

/** The parts of the tenant that the lines are about, and how urgent they are. */
const PARTS = {
  keyEnds: ['signingKeys', 'clock', 'warn'],
  keyOld: ['signingKeys', 'clock', 'warn'],
  hookDisabled: ['webhooks', 'triangle-alert', 'bad'],
  hookFails: ['webhooks', 'triangle-alert', 'bad'],
  administrator: ['users', 'user', 'warn'],
  message: ['messages', 'triangle-alert', 'bad'],
} as const satisfies Record<Line['kind'], readonly [string, IconName, string]>;

/** Shows what needs attention, each with a link to where it is settled. Renders nothing if nothing does. */
export function AttentionCard({ lines }: { readonly lines: readonly Line[] }) {
  const { say } = useTexts();
  if (lines.length === 0) return null;
  return (
    <Card title={say('attention')}>
      <ul className="alerts">
        {lines.map(({ kind, count, to, search }) => {
          const [part, icon, tone] = PARTS[kind];
          const text = say(`attention.${kind}`, { count });
          return (
            <li key={kind} className={tone}>
              <Icon name={icon} />
              <span>
                <strong>{say(part)}</strong>
                <span className="muted">{text}</span>
              </span>
              <Place
                to={to}
                className={classesOf('plain', true)}
                label={`${say('review')}: ${text}`}
                {...(search && { search })}
              >
                {say('review')}
              </Place>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
