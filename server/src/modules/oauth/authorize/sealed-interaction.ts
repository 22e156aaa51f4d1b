import type { AuthorizationRequest } from './authorization-request.ts';
import type { Interaction } from './interaction.ts';

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

/** An interaction without what most of them contain. */
export interface SealedInteraction extends Omit<Interaction, 'request' | 'done'> {
  readonly request: Omit<AuthorizationRequest, UsualName> &
    Partial<Pick<AuthorizationRequest, UsualName>>;
  readonly done?: Interaction['done'];
}

export function withoutUsual({ request, done, ...rest }: Interaction): object {
  const fields = Object.entries(request).filter(
    ([name, value]) => !USUAL_TEXTS.has(name) || JSON.stringify(value) !== USUAL_TEXTS.get(name),
  );
  return {
    ...rest,
    request: Object.fromEntries(fields),
    ...(Object.keys(done).length > 0 && { done }),
  };
}

export function withUsual({ request, done = {}, ...rest }: SealedInteraction): Interaction {
  return { ...rest, done, request: { ...USUAL, ...request } };
}
