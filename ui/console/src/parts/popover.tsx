import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, useState } from 'react';
import { type ButtonKind, classesOf } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

interface Props {
  /** On the button that opens it. */
  readonly word: string;
  readonly icon?: IconName;
  readonly kind?: ButtonKind;
  readonly isSmall?: boolean;
  /** Of a button with another look. */
  readonly className?: string;
  /** The name for screen reader users, if the word is not enough. */
  readonly label?: string;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button, and controls that it shows next to it. A click outside and Escape close them. */
export function Popover(props: Props) {
  const { word, icon, kind = 'plain', isSmall = false, className, label, children } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger
        className={className ?? classesOf(kind, isSmall)}
        {...(label !== undefined && { 'aria-label': label })}
      >
        {icon && <Icon name={icon} />}
        {/* A word that does not fit loses its end, in either direction. */}
        <span className="word" dir="auto">
          <span>{word}</span>
        </span>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="floating" align="start" sideOffset={4}>
          <Base.Popup className="popover" aria-label={label ?? word}>
            {typeof children === 'function' ? children(() => setOpen(false)) : children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
