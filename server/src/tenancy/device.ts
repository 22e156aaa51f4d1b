import type { Origin } from './caller.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Where a login is made. */
export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
  /** On a page of ours: the login leads to this cookie instead of tokens. */
  readonly cookie?: SessionCookie | undefined;
}
