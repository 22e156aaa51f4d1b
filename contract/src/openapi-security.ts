import type { Freshness } from './assurance.ts';
import { needsToken, type Route } from './route.ts';

type Json = Record<string, unknown>;

const BROWSER = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-kw_<tag>',
  description:
    'A browser session. `<tag>` identifies the tenant: the first ten characters of the SHA-256 of its ID.',
};

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description:
    'An access token from a login or the token endpoint, or an API key of an agent. Tokens follow RFC 8725: a single algorithm, and a separate `typ` for each kind of token.',
};

/** Returns the security schemes of these routes, by name. */
export function securitySchemesOf(routes: readonly Route[]): Json {
  const hasSessions = routes.some(({ access }) => access === 'browser');
  return { bearer: BEARER, ...(hasSessions ? { browser: BROWSER } : {}) };
}

/** The security requirement of a route. */
export function securityOf(route: Route): Json[] {
  if (route.access === 'browser') return [{ browser: [] }];
  return needsToken(route) ? [{ bearer: [] }] : [];
}

/** Describes the login requirements of a route in the terms of RFC 9470. */
export function stepUpOf({ acr, maxAge }: Freshness): Json {
  return {
    ...(acr === undefined ? {} : { acr_values: acr }),
    max_age: maxAge ?? 'step_up_max_age of the tenant',
  };
}
