import { ERROR_PAGES, type ErrorExample, type ErrorPage } from './error-pages.ts';
import { type ErrorBody, type ErrorCode, errorBody, ERRORS } from './errors.ts';
import { type OAuthErrorBody, oauthErrorBody } from './oauth-error.ts';
import { API_BASE, isPage, needsToken, type Route } from './route.ts';
import { SHORT_NAME } from './status-names.ts';

/** The service of the examples. */
const EXAMPLE_URL = 'https://id.example.com';
const LINES = 'application/x-ndjson';
const CONSOLE_PATH = /^\/console\/api\/(?:in\/)?t\/[^/]+/;

/** Returns the route of an example; undefined if the example is about a path that is not a route. */
export function routeOf({ request }: ErrorExample, routes: readonly Route[]): Route | undefined {
  const [method, target = ''] = request.split(' ');
  const path = pathOf(target).replace(CONSOLE_PATH, API_BASE).replace(/\?.*/, '').split('/');
  return routes.find((route) => route.method === method && matches(route.path.split('/'), path));
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, index) => part.startsWith(':') || part === path[index])
  );
}

/** Other paths are those of the API, written without their prefix. */
function pathOf(target: string): string {
  return /^\/(?:t|oauth|console|account|status)\//.test(target) ? target : API_BASE + target;
}

/** The request of an example. */
export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Returns the request of an example, with its usual headers. */
export function exampleRequest(example: ErrorExample, routes: readonly Route[]): ExampleRequest {
  const [method = '', target = ''] = example.request.split(' ');
  const { body, form = {} } = example;
  return {
    method,
    path: pathOf(target),
    headers: headersOf(example, routeOf(example, routes)),
    form,
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Returns the request of an example as a curl command. */
export function exampleCommand({ example }: ErrorPage, routes: readonly Route[]): string {
  const { method, path, headers, form, body } = exampleRequest(example, routes);
  const verb = method === 'GET' ? '' : `-X ${method} `;
  const options = [
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...Object.entries(form).map(
      ([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`,
    ),
    ...(body === undefined ? [] : [`${dataOption(body)} ${quoted(body)}`]),
  ];
  return [`curl ${verb}${quoted(EXAMPLE_URL + path)}`, ...options].join(' \\\n  ');
}

function headersOf(
  { request, body, headers = {} }: ErrorExample,
  route: Route | undefined,
): Readonly<Record<string, string>> {
  const isNamedByPath = / \/(?:t|console)\//.test(request);
  const tenant = route?.access === 'system' ? 'org_default' : 'org_acme';
  const usual = {
    ...(isNamedByPath ? {} : { 'X-Tenant-ID': tenant }),
    ...(route && needsToken(route) ? { Authorization: 'Bearer <token>' } : {}),
    ...(body === undefined ? {} : { 'Content-Type': route?.lines ? LINES : 'application/json' }),
  };
  const all = Object.entries({ ...usual, ...headers });
  return Object.fromEntries(
    all.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

/** `-d` removes line breaks from files. */
function dataOption(body: string): string {
  return body.startsWith('@') ? '--data-binary' : '-d';
}

/** Quotes a word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the body of the response in an example; undefined if the response is a page for people. */
export function exampleBody(
  code: ErrorCode,
  { example }: ErrorPage,
  routes: readonly Route[],
): ErrorBody | OAuthErrorBody | undefined {
  const route = routeOf(example, routes);
  if (route && isPage(route)) return undefined;
  const { detail, errors, guessesLeft } = example;
  const options = {
    ...(detail === undefined ? {} : { detail }),
    ...(errors === undefined ? {} : { errors }),
    ...(guessesLeft === undefined ? {} : { guessesLeft }),
  };
  const body = route?.errorForm === 'oauth' ? oauthErrorBody : errorBody;
  return body(code, `${EXAMPLE_URL}/docs`, options);
}

/** A part of the page of an error code. Its texts mark code with backticks. */
export type PageBlock =
  | { readonly kind: 'heading' | 'lead' | 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly language: 'json' | 'sh'; readonly text: string };

/** Returns the page of an error code, for the documentation and for the service's own page. */
export function errorPageBlocks(code: ErrorCode, routes: readonly Route[]): readonly PageBlock[] {
  const { status, detail } = ERRORS[code];
  const page: ErrorPage = ERROR_PAGES[code];
  return [
    { kind: 'lead', text: `Status ${status} ${SHORT_NAME[status]}. ${detail}` },
    { kind: 'heading', text: 'Causes' },
    { kind: 'list', items: page.causes },
    { kind: 'heading', text: 'How to fix it' },
    { kind: 'list', items: page.fixes },
    { kind: 'heading', text: 'Example' },
    { kind: 'code', language: 'sh', text: exampleCommand(page, routes) },
    ...responseBlocks(code, page, routes),
  ];
}

function responseBlocks(
  code: ErrorCode,
  page: ErrorPage,
  routes: readonly Route[],
): readonly PageBlock[] {
  const { status } = ERRORS[code];
  const body = exampleBody(code, page, routes);
  if (body === undefined) {
    const text = `The response is an HTML page with the status ${status}. Its last line shows \`${status} ${code}\` and the ID of the request in the log.`;
    return [{ kind: 'text', text }];
  }
  return [
    { kind: 'text', text: `The response has the status ${status} and this body:` },
    { kind: 'code', language: 'json', text: JSON.stringify(body, null, 2) },
  ];
}

/** Returns the routes with an error code, without those that only add the tenant to the path of another route. */
export function routesWith(
  code: ErrorCode,
  routes: readonly Route[],
  errorsOf: (route: Route) => readonly ErrorCode[],
): readonly Route[] {
  return routes.filter(
    (route) => !route.path.startsWith('/t/:tenant_id/') && errorsOf(route).includes(code),
  );
}
