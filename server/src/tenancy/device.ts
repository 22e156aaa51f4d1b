import type { Origin } from './caller.ts';
import type { SessionCookie } from './session-cookie.ts';

/** The device and browser of a login. */
export interface Device {
  readonly from: Origin;
  readonly userAgent: string | null;
  /** The device token in the cookie of a browser on a page. Pages do not send `device_token` in a body. */
  readonly token?: string;
  /** Set on our own pages: the login sets this cookie instead of issuing tokens. */
  readonly cookie?: SessionCookie | undefined;
}
