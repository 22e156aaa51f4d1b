import { type RefObject, useEffect } from 'react';

/** Closes what is open in this frame when something outside it is pressed or focused. */
export function useClosing(
  frame: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      const isInside = event.target instanceof Node && frame.current?.contains(event.target);
      if (!isInside) close();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [frame, isOpen, close]);
}
