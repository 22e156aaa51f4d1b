import type { AuthorizationError, ReplyTo } from './request.ts';

/** What a client is answered (RFC 6749 §4.1.2). */
export type Answer =
  | { readonly code: string }
  | { readonly error: AuthorizationError; readonly description?: string };

/** The parameters of the response. Each names its issuer (RFC 9207), so that no other one can be taken for it. */
export function parametersOf(
  { state }: ReplyTo,
  answer: Answer,
  issuer: string,
): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if ('code' in answer) parameters.set('code', answer.code);
  else {
    parameters.set('error', answer.error);
    if (answer.description !== undefined) parameters.set('error_description', answer.description);
  }
  if (state !== undefined) parameters.set('state', state);
  return parameters.set('iss', issuer);
}

/** The address that the browser goes to. What the client registered as its query stays. */
export function addressOf(
  { redirectUri }: Pick<ReplyTo, 'redirectUri'>,
  parameters: ReadonlyMap<string, string>,
): URL {
  const address = new URL(redirectUri);
  const added = new URLSearchParams([...parameters]).toString();
  address.search = address.search === '' ? added : `${address.search.slice(1)}&${added}`;
  return address;
}
