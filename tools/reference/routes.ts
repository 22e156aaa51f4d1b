import type { ErrorCode } from '@keywright/contract/errors';
import { tagName, TAGS, tagOf } from '@keywright/contract/openapi-tags';
import {
  bodyLimitOf,
  DEFAULT_BODY_BYTES,
  impliedErrors,
  loginsText,
  type Route,
  scopeOf,
} from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { UNREPEATABLE } from '@keywright/contract/unrepeatable';
import { code, facts, linkToError, page, table } from './markdown.ts';

/** Returns the index of all routes and a page per group, by path from the root. */
export function routePages(): ReadonlyMap<string, string> {
  const byTag = Map.groupBy(ROUTES, tagOf);
  const groups = Object.keys(TAGS).map((tag) => [tag, byTag.get(tag) ?? []] as const);
  return new Map([
    ['docs/reference/routes.md', indexPage(groups)],
    ...groups.map(([tag, routes]) => [pathOf(tag), groupPage(tag, routes)] as const),
  ]);
}

/** The link to a route, relative to docs/reference. */
export function linkToRoute(route: Route): string {
  return `[${code(`${route.method} ${route.path}`)}](${pathOf(tagOf(route)).slice('docs/reference/'.length)}#${anchorOf(route)})`;
}

function pathOf(tag: string): string {
  return `docs/reference/routes/${tag.replaceAll('_', '-')}.md`;
}

/** As GitHub makes it from the heading of a route. */
function anchorOf({ summary }: Route): string {
  return summary
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

function indexPage(groups: readonly (readonly [string, readonly Route[]])[]): string {
  const rows = groups.map(([tag, routes]) => [
    `[${tagName(tag)}](${pathOf(tag).slice('docs/reference/'.length)})`,
    TAGS[tag] ?? '',
    routes.length,
  ]);
  return page('Routes', [
    'The [OpenAPI document](openapi.json) describes every field, example and header of these routes. The service serves it at `/openapi.json`, and as pages with samples at `/reference`.',
    table(['Group', 'About', 'Routes'], rows),
    '## Errors of every route',
    'The page of a route lists only the errors that are specific to it. These errors follow from what a route needs:',
    table(
      ['Routes', 'Errors'],
      COMMON.map(([which, codes]) => [
        which,
        codes.map((error) => linkToError(error, '../errors')).join(' '),
      ]),
    ),
    '[Errors](errors.md) describes all codes.',
    '## Repeating a POST',
    'Every `POST` accepts an `Idempotency-Key`, except:',
    table(['Route', 'Reason'], ROUTES.flatMap(unrepeatable)),
  ]);
}

const COMMON: readonly (readonly [string, readonly ErrorCode[]])[] = [
  ['All', ['INTERNAL', 'UNAVAILABLE']],
  ['All that belong to a tenant', ['TENANT_NOT_FOUND', 'TENANT_INACTIVE']],
  ['All that need a token', ['TOKEN_INVALID', 'TENANT_MISMATCH']],
  ['Those that need a scope', ['SCOPE_REQUIRED']],
  ['Those that need an administrator', ['ADMINISTRATOR_REQUIRED']],
  ['Those that need a system administrator', ['SYSTEM_ADMINISTRATOR_REQUIRED']],
  ['Those that need a token of a user', ['USER_REQUIRED', 'IMPERSONATION_REFUSED']],
  ['Those that need a token, without a scope', ['APPLICATION_REFUSED']],
  ['Those that need a recent login', ['STEP_UP_REQUIRED']],
  ['Those that need a browser session', ['BROWSER_SESSION_REQUIRED']],
  ['All with parameters or a body', ['VALIDATION_FAILED']],
  [
    'All that are not a `GET`',
    ['JSON_INVALID', 'BODY_TOO_LARGE', 'CONTENT_TYPE_UNSUPPORTED', 'TOO_MANY_INCOMPLETE_REQUESTS'],
  ],
  ['Pages with forms', ['ORIGIN_REFUSED', 'FORM_TOO_OLD', 'REQUEST_MALFORMED']],
  ['All that accept an `Idempotency-Key`', ['IDEMPOTENCY_KEY_REUSED']],
];
const COMMON_CODES: ReadonlySet<ErrorCode> = new Set(COMMON.flatMap(([, codes]) => codes));

function unrepeatable(route: Route): string[][] {
  const why = UNREPEATABLE[route.id];
  return why === undefined ? [] : [[linkToRoute(route), why]];
}

function groupPage(tag: string, routes: readonly Route[]): string {
  const anchors = new Set(routes.map(anchorOf));
  if (anchors.size < routes.length) throw new Error(`Two routes of ${tag} have the same summary.`);
  return page(`Routes: ${tagName(tag)}`, [
    TAGS[tag] ?? '',
    '[All groups](../routes.md). The [OpenAPI document](../openapi.json) describes the fields of requests and responses.',
    ...routes.flatMap(describe),
  ]);
}

function describe(route: Route): string[] {
  const { summary, description = '', method, path, ok } = route;
  const implied = new Set(impliedErrors(route).filter((error) => COMMON_CODES.has(error)));
  const specific = new Set([...route.errors, ...impliedErrors(route)]).difference(implied);
  const limit = bodyLimitOf(route);
  return [
    `## ${summary}`,
    code(`${method} ${path}`),
    ...(description === '' ? [] : [description]),
    facts({
      ID: code(route.id),
      Needs: accessText(route),
      'Largest body': method === 'GET' || limit === DEFAULT_BODY_BYTES ? '' : inKiB(limit),
      Success: String(ok.status),
      Errors: [...specific].map((error) => linkToError(error, '../../errors')).join(' '),
    }),
  ];
}

function inKiB(bytes: number): string {
  return bytes % 1024 === 0 && bytes < 1024 * 1024
    ? `${bytes / 1024} KiB`
    : `${bytes / 1024 / 1024} MiB`;
}

function accessText(route: Route): string {
  return route.fresh ? `${plainAccessText(route)}, after a recent login` : plainAccessText(route);
}

function plainAccessText(route: Route): string {
  const scope = scopeOf(route);
  const logins = loginsText(route);
  if (scope !== undefined) {
    const administrator = typeof route.access === 'object' && route.access.administrator === true;
    return `${code(scope)}${logins === undefined ? '' : `, ${logins}`}${administrator ? ', as an administrator' : ''}`;
  }
  if (route.tenant === 'path') return ACCESS.open;
  return ACCESS[route.access as keyof typeof ACCESS];
}

const ACCESS = {
  open: 'nothing',
  tenant: 'a tenant',
  caller: 'a token',
  browser: 'a browser session',
  user: 'a token of a user',
  system: 'a system administrator',
} as const;
