import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form was submitted from a page of this origin. Sec-Fetch-Site decides if the browser sends it: under
 * `Referrer-Policy: no-referrer`, Origin is `null` (Fetch §3.1). Otherwise Origin must be the issuer's.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(issuer).origin;
}
