import { useEffect, useState } from 'react';

/** A pause in typing. */
const PAUSE_MS = 250;

/** Returns the typed value once it has not changed for a moment. */
export function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(value);
  const isSettled = JSON.stringify(settled) === text;
  useEffect(() => {
    if (isSettled) return undefined;
    const timer = setTimeout(() => setSettled(JSON.parse(text) as Value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isSettled]);
  return settled;
}
