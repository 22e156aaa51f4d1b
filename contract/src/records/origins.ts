import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';

/** An origin as serialized by browsers (RFC 6454 §6.2). */
export const Origin = Type.String({
  pattern:
    '^(https://([a-z0-9.-]+|\\[[0-9a-f:.]+\\])|http://([a-z0-9-]+\\.)*(localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[::1\\]))(:[0-9]{1,5})?$',
  maxLength: 253,
  [EXPECTS]:
    'an https origin, or an http one on a loopback host, as browsers send it: https://app.example.com',
});

/** The origin of a page or of an Android app (https://developer.android.com/identity/sign-in/credential-manager). */
export const PasskeyOrigin = Type.String({
  pattern:
    '^(https://[a-z0-9.-]+(:[0-9]{1,5})?|http://([a-z0-9-]+\\.)*localhost(:[0-9]{1,5})?|android:apk-key-hash:[A-Za-z0-9_-]{43})$',
  maxLength: 253,
  [EXPECTS]:
    'an https origin, an http one on localhost, or android:apk-key-hash: and a SHA-256 hash in base64url',
});

export const DomainName = Type.String({
  pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$',
  maxLength: 253,
  [EXPECTS]: 'a host name in lower case, such as acme.example.com',
  description: 'A domain, in lower case.',
  examples: ['acme.example.com'],
});

export const Aaguid = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  [EXPECTS]: 'a UUID in lower case',
});

/** The fragment is added. */
export const LinkAddress = Type.String({
  pattern:
    '^(https://([a-z0-9.-]+|\\[[0-9a-f:.]+\\])|http://([a-z0-9-]+\\.)*(localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[::1\\]))(:[0-9]{1,5})?(/[\\w.~%/-]*)?(\\?[\\w.~%/&=-]*)?$',
  maxLength: 512,
  [EXPECTS]:
    'an https URL, or an http URL on a loopback host, without a fragment: https://app.example.com/login',
  examples: ['https://app.example.com/login'],
});
