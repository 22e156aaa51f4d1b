import type { ReactNode } from 'react';
import { Card } from '../../parts/card.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Danger {
  readonly title: string;
  /** The consequence, in one sentence. */
  readonly about: string;
  /** Opens a dialog that asks. */
  readonly action: ReactNode;
}

interface Props {
  /** Those that the caller can perform. */
  readonly dangers: readonly Danger[];
}

/** The actions that end a record, at the end of its screen. */
export function DangerZone({ dangers }: Props) {
  const { say } = useTexts();
  if (dangers.length === 0) return null;
  return (
    <Card title={say('dangerZone')} isDanger>
      <ul className="lines">
        {dangers.map(({ title, about, action }) => (
          <li key={title}>
            <div className="grows">
              <strong>{title}</strong>
              <p className="muted">{about}</p>
            </div>
            {action}
          </li>
        ))}
      </ul>
    </Card>
  );
}
