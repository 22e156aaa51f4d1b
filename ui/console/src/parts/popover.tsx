import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import { type ButtonKind, classesOf } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface Props {
  /** On the button that opens it. */
  readonly word: string;
  readonly icon?: IconName;
  readonly kind?: ButtonKind;
  readonly isSmall?: boolean;
  readonly children: ReactNode;
}

/** A button, and controls that it shows next to it. A click outside and Escape close them. */
export function Popover({ word, icon, kind = 'plain', isSmall = false, children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger className={classesOf(kind, isSmall)}>
        {icon && <Icon name={icon} />}
        {word}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="floating" align="start" sideOffset={4}>
          <Base.Popup className="popover" aria-label={word}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
