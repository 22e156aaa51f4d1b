import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { classesOf } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface Props {
  readonly icon: IconName;
  readonly title?: string | undefined;
  readonly action?: ReactNode;
  /** The URL of a guide. */
  readonly docs?: string;
  /** One sentence: what will be here. */
  readonly children: ReactNode;
}

/** Shown where nothing is yet: what it is for, and how to start. */
export function Empty({ icon, title, action, docs, children }: Props) {
  const { say } = useTexts();
  return (
    <div className="empty">
      <span className="sunk">
        <Icon name={icon} />
      </span>
      {title !== undefined && <h2>{title}</h2>}
      <div>{children}</div>
      {(action || docs !== undefined) && (
        <div className="actions">
          {action}
          {docs !== undefined && (
            <a className={classesOf('ghost')} href={docs} target="_blank" rel="noreferrer">
              <Icon name="book-open" />
              {say('readGuide')}
            </a>
          )}
        </div>
      )}
    </div>
  );
}
