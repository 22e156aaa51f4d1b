import { Toast } from '@base-ui/react/toast';
import { type ReactNode, useCallback } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { classesOf } from './button.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 6000;
const MOST = 3;

interface Options {
  /** Undoes what the toast reports, where the API can. */
  readonly undo?: () => void;
  readonly isBad?: boolean;
}

/** Reports what has changed, also to screen readers. It remains while it has the pointer or the focus. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={SHOWN_MS} limit={MOST}>
      {children}
      <Toasts />
    </Toast.Provider>
  );
}

function Toasts() {
  const { say } = useTexts();
  const { toasts } = Toast.useToastManager();
  return (
    <Toast.Portal>
      <Toast.Viewport className="toasts" aria-label={say('notices')}>
        {toasts.map((toast) => (
          <Toast.Root key={toast.id} toast={toast} className="toast" role="group">
            <Icon name={toast.type === 'bad' ? 'triangle-alert' : 'circle-check'} />
            <Toast.Title render={<p />} />
            {toast.actionProps && <Toast.Action className={classesOf('ghost', true)} />}
            <Toast.Close className={classesOf('ghost', true, true)} aria-label={say('close')}>
              <Icon name="x" />
            </Toast.Close>
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}

/** Returns how to report what has changed. */
export function useToast(): (text: string, options?: Options) => void {
  const { say } = useTexts();
  const { add, close } = Toast.useToastManager();
  return useCallback(
    (text, { undo, isBad = false } = {}) => {
      const id = add({
        title: text,
        type: isBad ? 'bad' : 'done',
        ...(undo && {
          actionProps: {
            children: say('undo'),
            onClick: () => {
              close(id);
              undo();
            },
          },
        }),
      });
    },
    [add, close, say],
  );
}
