import { useEffect, useState } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './button.tsx';

const SHOWN_MS = 2000;

interface Props {
  readonly text: string;
  /** The name of the copied text, for screen reader users. */
  readonly of?: string;
}

export function Copy({ text, of }: Props) {
  const { say } = useTexts();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const word = say(isCopied ? 'copied' : 'copy');
  const label = of === undefined ? word : `${word} ${of}`;
  return (
    <Button
      kind="ghost"
      isSmall
      icon={isCopied ? 'check' : 'copy'}
      label={label}
      onClick={() => void copy()}
    />
  );
}
