import type { AuthorizationRequest } from './authorization-request.ts';

/** What most requests contain. It is not sealed, because the login page has the sealed text in each of its forms. */
const USUAL = {
  responseMode: 'query',
  targets: [],
  prompts: [],
  acrValues: [],
  claims: { idToken: {}, userinfo: {} },
  uiLocales: [],
} as const satisfies Partial<AuthorizationRequest>;
const USUAL_TEXTS = new Map<string, string>(
  Object.entries(USUAL).map(([name, value]) => [name, JSON.stringify(value)]),
);

type UsualName = keyof typeof USUAL;

/** An authorization request without what most of them contain. */
export type SealedRequest = Omit<AuthorizationRequest, UsualName> &
  Partial<Pick<AuthorizationRequest, UsualName>>;

export function withoutUsual(request: AuthorizationRequest): object {
  const fields = Object.entries(request).filter(
    ([name, value]) => !USUAL_TEXTS.has(name) || JSON.stringify(value) !== USUAL_TEXTS.get(name),
  );
  return Object.fromEntries(fields);
}

export function withUsual(request: SealedRequest): AuthorizationRequest {
  return { ...USUAL, ...request };
}
