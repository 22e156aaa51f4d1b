import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'brass' | 'plain';

/** A word with a dot, because color must never be the only indicator. */
export function State({ word, tone }: { readonly word: string; readonly tone: Tone }) {
  return <span className={`state ${tone}`}>{word}</span>;
}

export function ActiveState({ isActive }: { readonly isActive: boolean }) {
  const { say } = useTexts();
  return <State word={say(isActive ? 'active' : 'inactive')} tone={isActive ? 'ok' : 'plain'} />;
}

interface TagProps {
  readonly tone?: Tone | undefined;
  readonly children: ReactNode;
}

/** A short name, such as that of a role; `brass`: with far-reaching rights. */
export function Tag({ tone = 'plain', children }: TagProps) {
  return <bdi className={`tag ${tone}`}>{children}</bdi>;
}
