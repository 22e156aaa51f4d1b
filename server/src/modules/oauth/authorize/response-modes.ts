import type { ResponseMode } from './request.ts';

/** How the response is sent to a client. */
interface Mode {
  readonly mode: ResponseMode;
  /** As one JWT. */
  readonly isSigned: boolean;
}

export const PLAIN: Mode = { mode: 'query', isSigned: false };
const SIGNED: Mode = { mode: 'query', isSigned: true };

/** By `response_mode`; those with `jwt` are of JARM §2.3. */
const MODES: ReadonlyMap<string, Mode> = new Map([
  ['query', PLAIN],
  ['form_post', { mode: 'form_post', isSigned: false }],
  ['query.jwt', SIGNED],
  ['form_post.jwt', { mode: 'form_post', isSigned: true }],
  ['jwt', SIGNED],
]);

export const RESPONSE_MODES = [...MODES.keys()];

/** Undefined for an unknown one. */
export function modeNamed(name = 'query'): Mode | undefined {
  return MODES.get(name);
}
