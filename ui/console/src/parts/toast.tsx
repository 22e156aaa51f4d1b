import { createContext, type ReactNode, use, useCallback, useState } from 'react';

const SHOWN_MS = 6000;

const Context = createContext<(text: string) => void>(() => undefined);

/** Briefly reports what has changed, also to screen readers. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly { readonly id: number; readonly text: string }[]>(
    [],
  );
  const show = useCallback((text: string) => {
    const id = performance.now();
    setToasts((before) => [...before, { id, text }]);
    setTimeout(() => setToasts((before) => before.filter((toast) => toast.id !== id)), SHOWN_MS);
  }, []);
  return (
    <Context value={show}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </Context>
  );
}

export function useToast(): (text: string) => void {
  return use(Context);
}
