// Events of shared signals. Does not use TypeBox, because the SDK also includes this file.

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/';
const SSF = 'https://schemas.openid.net/secevent/ssf/event-type/';

/** Events about users that receivers can get: CAEP 1.0 §3 and RISC 1.0 §2. */
export const SIGNALS = {
  'session-revoked': `${CAEP}session-revoked`,
  'credential-change': `${CAEP}credential-change`,
  'account-disabled': `${RISC}account-disabled`,
  'account-enabled': `${RISC}account-enabled`,
  'account-purged': `${RISC}account-purged`,
} as const;

/** Events about the stream itself: Shared Signals Framework §8.1.4, §8.1.5. */
export const STREAM_SIGNALS = {
  verification: `${SSF}verification`,
  'stream-updated': `${SSF}stream-updated`,
} as const;

export type Signal = keyof typeof SIGNALS;
export type StreamSignal = keyof typeof STREAM_SIGNALS;

export const SIGNAL_NAMES = Object.keys(SIGNALS) as Signal[];

/** RFC 8935, RFC 8936. */
export const DELIVERY_METHODS = {
  push: 'urn:ietf:rfc:8935',
  poll: 'urn:ietf:rfc:8936',
} as const;

/** RFC 8417 §2.3. */
export const SET_TYP = 'secevent+jwt';
