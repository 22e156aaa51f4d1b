import Type, { type Static } from 'typebox';
import { type BodyOptions, ErrorBody, type ErrorCode, ERRORS, errorBody } from './errors.ts';
import type { FailureOptions } from './failure-options.ts';
import { Challenge } from './records/in-app-login.ts';

/** `error` for the codes that OAuth does not define (names of RFC 6749 §4.1.2.1 and §5.2). */
const BY_STATUS = {
  400: 'invalid_request',
  401: 'invalid_client',
  403: 'access_denied',
  404: 'invalid_request',
  405: 'invalid_request',
  413: 'invalid_request',
  415: 'invalid_request',
  429: 'temporarily_unavailable',
  500: 'server_error',
  503: 'temporarily_unavailable',
} as const;

export const OAuthErrorBody = Type.Object(
  {
    ...Type.Omit(ErrorBody, ['flow']).properties,
    ...Challenge.properties,
    error: Type.String({
      description: 'An error code from RFC 6749 §5.2, such as `invalid_client`.',
    }),
    error_description: Type.String({
      description: 'The `detail`, restricted to the characters that RFC 6749 allows.',
    }),
    error_uri: Type.String({ description: 'The same URL as `doc` (RFC 6749 §5.2).' }),
  },
  {
    $id: 'OAuthError',
    description:
      'An error of the token endpoint: the OAuth fields, plus `detail` and `code` as in all errors.',
  },
);
export type OAuthErrorBody = Static<typeof OAuthErrorBody>;

/** The body of an error on an OAuth route (RFC 6749 §5.2), with the fields of every other error. */
export function oauthErrorBody(
  code: ErrorCode,
  docsUrl: string,
  {
    login,
    detail,
    errors,
    guessesLeft,
    unknownPasskey,
  }: BodyOptions & Pick<FailureOptions, 'login'> = {},
): OAuthErrorBody {
  const body = errorBody(code, docsUrl, {
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    ...(guessesLeft !== undefined && { guessesLeft }),
    ...(unknownPasskey && { unknownPasskey }),
  });
  const entry: { readonly status: keyof typeof BY_STATUS; readonly oauth?: string } = ERRORS[code];
  return {
    ...body,
    error: entry.oauth ?? BY_STATUS[entry.status],
    // RFC 6749 §5.2: printable ASCII, without quotation marks and backslashes.
    error_description: body.detail.replaceAll(/["\\]|[^\x20-\x7e]/g, "'"),
    error_uri: body.doc,
    ...login,
  };
}
