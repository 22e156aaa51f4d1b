import type { Fail } from '@keywright/contract/errors';
import { parseOAuthClientId } from '@keywright/contract/ids';
import type { BodyOf } from '@keywright/contract/route';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE, type issueToken, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';

export type TokenParameters = BodyOf<typeof issueToken>;

/** The parameters with which a client authenticates at any endpoint. */
export type ClientParameters = Partial<
  Pick<
    TokenParameters,
    | 'grant_type'
    | 'client_id'
    | 'client_secret'
    | 'client_assertion'
    | 'client_assertion_type'
    | 'actor_token'
    | 'actor_token_type'
  >
>;

/** A request of a client that must authenticate. */
export interface ClientRequest<Parameters = ClientParameters> {
  readonly tenant: Tenant;
  readonly parameters: Parameters;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  readonly from: Origin;
}

/** The errors of failed client authentication. */
export type RefuseClient = Fail<
  'VALIDATION_FAILED' | 'CLIENT_INVALID' | 'OAUTH_OFF' | 'TOO_MANY_ATTEMPTS'
>;

/** How a client authenticates. */
export type ClientProof =
  | { readonly by: 'secret'; readonly clientId: string; readonly secret: string }
  | {
      readonly by: 'assertion' | 'actor_token';
      readonly clientId: string | undefined;
      readonly token: string;
    };

/** The client that a request names, not yet verified. */
export interface PresentedClient {
  /** Empty if the request names no client. */
  readonly clientId: string;
  /** Undefined if the client only names itself, as public clients do. */
  readonly proof: ClientProof | undefined;
}

/** Reads the client of a request and its authentication (RFC 6749 §2.3: only one method at a time). */
export function readClient(
  request: ClientParameters,
  authorization: string | undefined,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID'>,
): PresentedClient {
  const { client_secret: secret, client_assertion: assertion } = request;
  const basic = readBasic(authorization, request.client_id, fail);
  // Some public clients name themselves with Basic. As in the body, an empty password is not a secret.
  const isNameAlone = basic?.secret === '';
  const clientId = isNameAlone ? basic.clientId : request.client_id;
  const proofs: ClientProof[] = [];
  if (basic && !isNameAlone) proofs.push(basic);
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
  const [proof, ...others] = proofs;
  if (others.length > 0) {
    fail('VALIDATION_FAILED', {
      detail: 'Expected one way of client authentication, got several.',
    });
  }
  return { clientId: (proof ? claimedClient(proof) : clientId) ?? '', proof };
}

/** Whether the request names an OAuth client, for grants that agents also use. */
export function isFromOAuthClient(
  { parameters, authorization }: Pick<ClientRequest, 'parameters' | 'authorization'>,
  fail: Fail<'VALIDATION_FAILED' | 'CLIENT_INVALID'>,
): boolean {
  const { clientId } = readClient(parameters, authorization, fail);
  return parseOAuthClientId(clientId) !== undefined;
}

function claimedClient(proof: ClientProof): string | undefined {
  if (proof.clientId !== undefined || proof.by !== 'assertion') return proof.clientId;
  const { sub } = parseOutsideToken(proof.token)?.claims ?? {};
  return typeof sub === 'string' ? sub : undefined;
}

/**
 * RFC 6749 §2.3.1: both parts are form-encoded, so the colon of an ID is `%3A`. Many clients omit the encoding,
 * which is unambiguous here.
 */
function readBasic(
  authorization: string | undefined,
  clientId: string | undefined,
  fail: Fail<'CLIENT_INVALID'>,
): Extract<ClientProof, { readonly by: 'secret' }> | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
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
  type: string,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (request[name] === type) return;
  fail('VALIDATION_FAILED', { errors: [{ path: `/${name}`, message: `must be ${type}` }] });
}
