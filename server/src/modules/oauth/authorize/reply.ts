import type { AuthorizationError, ReplyTo } from './request.ts';

/** The response to a client (RFC 6749 §4.1.2). */
export type Answer =
  | { readonly code: string }
  | { readonly error: AuthorizationError; readonly description?: string };

/** The parameters of the response. They name the issuer (RFC 9207), so that it cannot be confused with another. */
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

/** The URL that the browser goes to. A query that the client registered is kept. */
export function addressOf(
  { redirectUri }: Pick<ReplyTo, 'redirectUri'>,
  parameters: ReadonlyMap<string, string>,
): URL {
  const added = [...parameters].map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  );
  const separator = redirectUri.includes('?') ? '&' : '?';
  const start = redirectUri.endsWith('?') ? redirectUri : `${redirectUri}${separator}`;
  return new URL(`${start}${added.join('&')}`);
}
