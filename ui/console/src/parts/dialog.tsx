import { AlertDialog } from '@base-ui/react/alert-dialog';
import type { ReactNode } from 'react';
import { Address } from './address.tsx';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  /** Without it, only what is inside can close it. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus inside, and gives it back. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose?.()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>
            <Address text={title} />
          </AlertDialog.Title>
          {children}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
