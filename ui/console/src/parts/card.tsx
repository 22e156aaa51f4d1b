import { type ReactNode, useId } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './button.tsx';

interface Props {
  readonly title: string;
  /** Whether only screen readers get the title, because the screen shows the same. */
  readonly hidesTitle?: boolean;
  /** One sentence. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Shows Edit in the head of the card. */
  readonly onEdit?: () => void;
  /** For actions that cannot be undone */
  readonly isDanger?: boolean;
  readonly children: ReactNode;
}

export function Card(props: Props) {
  const { title, hidesTitle = false, about, actions, onEdit, isDanger = false, children } = props;
  const { say } = useTexts();
  const id = useId();
  return (
    <section className={isDanger ? 'card danger' : 'card'} aria-labelledby={id}>
      <div className={hidesTitle ? 'unseen' : 'card-head'}>
        <h2 id={id}>{title}</h2>
        {(actions || onEdit) && (
          <div className="actions">
            {actions}
            {onEdit && (
              <Button kind="ghost" isSmall icon="pencil" onClick={onEdit}>
                {say('edit')} <span className="unseen">{title}</span>
              </Button>
            )}
          </div>
        )}
        {about && <p>{about}</p>}
      </div>
      {children}
    </section>
  );
}
