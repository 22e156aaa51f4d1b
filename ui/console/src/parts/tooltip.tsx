import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

interface Props {
  readonly text: string;
  readonly side?: 'top' | 'inline-end';
  /** A control that already has the text as its label, or a relative time; or what makes it from the properties of the tooltip. */
  readonly children: ReactElement | ((props: object) => ReactElement);
}

/** Shows the label of an icon, or an absolute time, to users with a mouse or a keyboard. */
export function Tooltip({ text, side = 'top', children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="floating" side={side} sideOffset={6}>
          <Base.Popup className="tooltip" aria-hidden="true">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
