import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a form comes from a page of this origin. Sec-Fetch-Site decides where browsers send it: under
 * `Referrer-Policy: no-referrer` their Origin is `null` (Fetch §3.1). Otherwise Origin must be that of the issuer.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, issuer: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === new URL(issuer).origin;
}
