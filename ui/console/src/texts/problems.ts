import type { Problem } from '../api/problem.ts';
import type { TextKey } from './locales.ts';
import type { Texts } from './texts.tsx';

/** What went wrong, by status, if no text explains the code. */
const BY_STATUS: readonly (readonly [status: number, TextKey])[] = [
  [500, 'problem.internal'],
  [429, 'problem.wait'],
  [404, 'problem.not_found'],
  [403, 'problem.denied'],
];

type Failed = Pick<Problem, 'status' | 'code'>;

/** Returns why the service rejected something. The message of the service is in English, so it is not used. */
export function reasonOf({ status, code }: Failed, { say, find }: Pick<Texts, 'say' | 'find'>) {
  const ofCode = find(`problem.${code.toLowerCase()}`);
  if (ofCode !== undefined) return ofCode;
  const [, ofStatus = 'problem.rejected'] = BY_STATUS.find(([least]) => status >= least) ?? [];
  const isLimit = status === 400 && code.startsWith('TOO_MANY_');
  return say(isLimit ? 'problem.too_many' : ofStatus);
}
