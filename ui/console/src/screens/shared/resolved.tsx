import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import { queryOfAddress, userWith } from '../../api/users.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

interface ResolvedProps {
  /** An ID, or the email address of a user. */
  readonly text: string;
  readonly children: (id: string) => ReactNode;
}

/** Whom a text means. */
export function Resolved({ text, children }: ResolvedProps) {
  const { say } = useTexts();
  const isAddress = text.includes('@');
  const input = { query: queryOfAddress(text) };
  const users = useCall(useTenant(), 'users.list', input, isAddress);
  if (!isAddress) return children(text);
  if (users.error) return <ProblemNote problem={users.error} route="users.list" />;
  if (users.data === undefined) return null;
  const user = userWith(users.data.items, text);
  if (!user) return <p role="status">{say('explainNobody')}</p>;
  return children(user.id);
}
