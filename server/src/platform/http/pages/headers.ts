import type { PagePolicy } from '@keywright/contract/reply';
import type { FastifyReply } from 'fastify';
import type { Html, Inline } from './html.ts';

/** The policy of a page that declares nothing. */
export const READ_ONLY: PagePolicy = { styles: true };

/**
 * Sends a page with the headers that every page has. It is not compressed, since it contains a token as well as user
 * input.
 */
export function sendPage(reply: FastifyReply, page: Html, policy: OwnPolicy): string {
  reply.headers(pageHeaders(policy, page.inline));
  return page.html;
}

/** Of every page, whatever made it. */
export function pageHeaders(policy: OwnPolicy, inline: readonly Inline[] = []) {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(policy, inline),
    'x-frame-options': policy.framed ? 'SAMEORIGIN' : 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    ...(policy.opener ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
  };
}

/** Of one page: it may have a form for another site. */
interface OwnPolicy extends PagePolicy {
  readonly formTarget?: URL | undefined;
}

/** Of an address with another scheme than those of the web the scheme counts. */
function formTargets({ forms, formTarget }: OwnPolicy): string[] {
  if (formTarget)
    return [/^https?:$/.test(formTarget.protocol) ? formTarget.origin : formTarget.protocol];
  return forms ? ["'self'"] : ["'none'"];
}

/** Only our own pages may use passkeys, and no frame in them; no page may use the rest. */
const PERMISSIONS = [
  ...['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map(
    (name) => `${name}=()`,
  ),
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

/** CSP level 3, Trusted Types: only what the route declares is allowed, and nothing unsafe. */
export function contentSecurityPolicy(policy: OwnPolicy, inline: readonly Inline[]): string {
  const own = (kind: Inline['kind']) =>
    inline.flatMap((one) => (one.kind === kind ? [one.source] : []));
  const directives: [string, readonly string[]][] = [
    ['script-src', policy.scripts ? ["'self'", ...own('script')] : []],
    ['style-src', policy.styles ? ["'self'", ...own('style')] : []],
    ['img-src', policy.images ? ["'self'", 'data:'] : ['data:']],
    ['connect-src', policy.connects ? ["'self'"] : []],
    ['frame-src', policy.frames ? ["'self'"] : []],
    ['form-action', formTargets(policy)],
  ];
  const allowed = directives.flatMap(([name, sources]) =>
    sources.length > 0 ? [`${name} ${[...new Set(sources)].join(' ')}`] : [],
  );
  return ["default-src 'none'", ...allowed, "base-uri 'none'", framingOf(policy), ...ALWAYS].join(
    '; ',
  );
}

/** Who sees the buttons of a page in a frame may be made to press them: there, none does anything. */
function framingOf({ framed }: OwnPolicy): string {
  return framed ? "frame-ancestors 'self'; sandbox allow-same-origin" : "frame-ancestors 'none'";
}

const ALWAYS = ["require-trusted-types-for 'script'", "trusted-types 'none'"];
