import { type RefObject, useEffect } from 'react';

/** Closes what is open in this frame when something outside it is pressed or focused. */
export function useClosing(
  frame: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOutside = (event: Event) => {
      const isInside = event.target instanceof Node && frame.current?.contains(event.target);
      if (!isInside) close();
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [frame, isOpen, close]);
}
