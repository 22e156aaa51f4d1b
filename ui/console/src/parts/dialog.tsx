import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useEffect } from 'react';
import { Address } from './address.tsx';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  /** Without it, only the controls inside can close the dialog. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** Keeps the focus inside, and restores it afterwards. */
export function Dialog({ title, isOpen, onClose, children }: Props) {
  useFocusFallback(isOpen);
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

/** Moves the focus to the screen if the element that opened the dialog is gone, such as the button of a removed row. */
function useFocusFallback(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      // After the dialog has restored the focus.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) document.querySelector('main')?.focus();
      });
    };
  }, [isOpen]);
}
