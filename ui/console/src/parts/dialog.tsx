import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useEffect } from 'react';
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
  useFocusKept(isOpen);
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

/** Where what opened the dialog is gone with it, as the button of a row that was removed, the focus goes to the screen. */
function useFocusKept(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      // Once the dialog has given it back.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus();
      });
    };
  }, [isOpen]);
}
