import { needsToken, type Route } from './route.ts';

type Json = Record<string, unknown>;

const BROWSER = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-kw_<tag>',
  description:
    'A browser session. `<tag>` is of the tenant: ten characters of the SHA-256 of its id.',
};

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'An access token, from a login or from the token endpoint; or an API key of an agent, in its place. Tokens follow RFC8725: one algorithm, and a `typ` of their own for each kind.',
};

/** How to authenticate, by name: what these routes ask for. */
export function securitySchemesOf(routes: readonly Route[]): Json {
  const hasSessions = routes.some(({ access }) => access === 'browser');
  return { bearer: BEARER, ...(hasSessions ? { browser: BROWSER } : {}) };
}

/** What a request of this route has to show. */
export function securityOf(route: Route): Json[] {
  if (route.access === 'browser') return [{ browser: [] }];
  return needsToken(route) ? [{ bearer: [] }] : [];
}
