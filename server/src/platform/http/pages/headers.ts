import type { PagePolicy } from '@keywright/contract/reply';
import type { FastifyReply } from 'fastify';
import type { Html, Inline } from './html.ts';

/** The policy of a page that declares nothing. */
export const READ_ONLY: PagePolicy = { styles: true };

/**
 * Sends a page with the headers of every page. The page is not compressed, since it contains both a token and user
 * input.
 */
export function sendPage(reply: FastifyReply, page: Html, policy: OwnPolicy): string {
  reply.headers(pageHeaders(policy, page.inline));
  return page.html;
}

/** The headers of every page, regardless of its source. */
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

/** The policy of one page, whose form can target another site. */
interface OwnPolicy extends PagePolicy {
  readonly formTarget?: URL | undefined;
}

/** For a custom scheme, the form target is the scheme instead of the origin. */
function formTargets({ forms, formTarget }: OwnPolicy): string[] {
  if (formTarget)
    return [/^https?:$/.test(formTarget.protocol) ? formTarget.origin : formTarget.protocol];
  return forms ? ["'self'"] : ["'none'"];
}

/** Only our own pages can use passkeys, frames in them cannot; no page can use the other features. */
const PERMISSIONS = [
  ...['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'].map(
    (name) => `${name}=()`,
  ),
  'publickey-credentials-create=(self)',
  'publickey-credentials-get=(self)',
].join(', ');

/** Returns a policy that allows only what the route declares, and nothing unsafe (CSP level 3, Trusted Types). */
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

/** Prevents clickjacking: a page in a frame is sandboxed, so that its buttons do nothing. */
function framingOf({ framed }: OwnPolicy): string {
  return framed ? "frame-ancestors 'self'; sandbox allow-same-origin" : "frame-ancestors 'none'";
}

const ALWAYS = ["require-trusted-types-for 'script'", "trusted-types 'none'"];
