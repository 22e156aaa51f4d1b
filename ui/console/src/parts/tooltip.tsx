import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

interface Props {
  readonly text: string;
  /** A control, which already has the text as its label. */
  readonly children: ReactElement;
}

/** Shows the label of an icon to users with a mouse or a keyboard. */
export function Tooltip({ text, children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={6}>
          <Base.Popup className="tooltip">{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
