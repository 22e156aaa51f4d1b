import type { ReactNode } from 'react';

interface Props {
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

/** The name of a row without a screen: a click on the row opens its details. */
export function RowButton({ onOpen, children }: Props) {
  return (
    <button type="button" className="opens" aria-haspopup="dialog" onClick={onOpen}>
      {children}
    </button>
  );
}
