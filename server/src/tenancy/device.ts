import type { Origin } from './caller.ts';
import type { SessionCookie } from './session-cookie.ts';

/** Where a login is made. */
export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
  /** The device token in the cookie of a browser at a page. Pages do not send `device_token` in a body. */
  readonly token?: string;
  /** On a page of ours: the login leads to this cookie instead of tokens. */
  readonly cookie?: SessionCookie | undefined;
}
