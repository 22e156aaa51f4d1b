import type { Fail } from '@keywright/contract/errors';
import type { BodyOf } from '@keywright/contract/route';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE, type issueToken, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';

export type TokenRequest = BodyOf<typeof issueToken>;

/** The parameters of a request with which a client authenticates, at whatever endpoint. */
export type ClientParameters = Partial<
  Pick<
    TokenRequest,
    | 'grant_type'
    | 'client_id'
    | 'client_secret'
    | 'client_assertion'
    | 'client_assertion_type'
    | 'actor_token'
    | 'actor_token_type'
  >
>;

/** How a client authenticates. */
export type ClientProof =
  | { readonly by: 'secret'; readonly clientId: string; readonly secret: string }
  | {
      readonly by: 'assertion' | 'actor_token';
      readonly clientId: string | undefined;
      readonly token: string;
    };

/**
 * The only client authentication in a request (RFC 6749 §2.3: one method at a time); undefined if there is none.
 * @param authorization the header of that name
 */
export function readClientProof(
  request: ClientParameters,
  authorization: string | undefined,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID'>,
): ClientProof | undefined {
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = request;
  const proofs: ClientProof[] = [];
  const [, basic] = /^Basic +([A-Za-z0-9+/=]*)$/i.exec(authorization ?? '') ?? [];
  if (basic !== undefined) proofs.push(readBasic(basic, clientId, fail));
  if (secret !== undefined) proofs.push({ by: 'secret', clientId: clientId ?? '', secret });
  if (assertion !== undefined) {
    requireType(request, 'client_assertion_type', CLIENT_ASSERTION_TYPE, fail);
    proofs.push({ by: 'assertion', clientId, token: assertion });
  }
  const { actor_token: actor, grant_type: grantType } = request;
  if (actor !== undefined && grantType === GRANT_TYPE.tokenExchange) {
    requireType(request, 'actor_token_type', TOKEN_TYPE.accessToken, fail);
    proofs.push({ by: 'actor_token', clientId, token: actor });
  }
  if (proofs.length > 1) {
    fail('VALIDATION_FAILED', {
      detail: 'Expected one way of client authentication, got several.',
    });
  }
  return proofs[0];
}

/** The claimed client, not verified. */
export function claimedClient(proof: ClientProof | undefined): string {
  if (proof?.clientId !== undefined || proof?.by !== 'assertion') return proof?.clientId ?? '';
  const { sub } = parseOutsideToken(proof.token)?.claims ?? {};
  return typeof sub === 'string' ? sub : '';
}

/**
 * RFC 6749 §2.3.1: both parts are form-encoded, so that the colon of an id is `%3A`. Many clients omit that, and their
 * form is unambiguous.
 */
function readBasic(
  encoded: string,
  clientId: string | undefined,
  fail: Fail<'CLIENT_INVALID'>,
): ClientProof {
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const [, raw, rawSecret] = /^(service:[^:]*):(.*)$/s.exec(text) ?? [];
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  const named = raw ?? decodeForm(id);
  if (clientId !== undefined && clientId !== named) fail('CLIENT_INVALID');
  return { by: 'secret', clientId: named, secret: decodeForm(rawSecret ?? secret) };
}

function decodeForm(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll('&', '%26')}`).get('value') ?? '';
}

function requireType(
  request: ClientParameters,
  name: 'client_assertion_type' | 'actor_token_type',
  wanted: string,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (request[name] === wanted) return;
  fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message: `must be ${wanted}` }] });
}
