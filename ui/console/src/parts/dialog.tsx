import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useEffect } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Address } from './address.tsx';
import { classesOf } from './button.tsx';
import { Icon } from './icon.tsx';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether text can be typed in it. A click outside then closes nothing. */
  readonly isForm?: boolean;
  readonly children: ReactNode;
}

/** Shows something over the page. A click outside, Escape and its button close it. */
export function Dialog(props: Props) {
  return <Overlay {...props} className="dialog" />;
}

/** A dialog at the end of the line, over the whole height, for the details of a row. */
export function Sheet(props: Props) {
  return <Overlay {...props} className="sheet" />;
}

function Overlay(props: Props & { readonly className: string }) {
  const { title, isOpen, onClose, isForm = false, className, children } = props;
  const { say } = useTexts();
  useFocusFallback(isOpen);
  return (
    <Base.Root
      open={isOpen}
      disablePointerDismissal={isForm}
      onOpenChange={(open) => !open && onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={className}>
          <Base.Title className="overlay-title">
            <Address text={title} />
          </Base.Title>
          {children}
          {/* The last one to receive the focus. */}
          <Base.Close
            className={`${classesOf('ghost', true, true)} overlay-close`}
            aria-label={say('close')}
          >
            <Icon name="x" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface QuestionProps extends Omit<Props, 'onClose' | 'isForm'> {
  /** Without it, only the controls inside can close the dialog. */
  readonly onClose?: () => void;
}

/** Asks before something happens. It must be answered: a click outside does nothing. */
export function QuestionDialog({ title, isOpen, onClose, children }: QuestionProps) {
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
