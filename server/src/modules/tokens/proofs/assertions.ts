import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { Fail, FieldError } from '@keywright/contract/errors';
import type { AgentKeySet, AgentTrust, ClaimValue } from '@keywright/contract/records/agent-proofs';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import {
  type OutsideKey,
  type OutsideToken,
  keyOf,
  outsideSignatureIsValid,
  parseOutsideToken,
  readPublicJwk,
} from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { SpentStatements } from './proofs-store.ts';
import type { FoundKey } from './remote-keys.ts';

/** The authenticated client, or the reason for the failure, which is only logged. */
type Verdict<Client> =
  | { readonly client: Client; readonly refusal?: never }
  | { readonly client?: never; readonly refusal: string };

export const LONGEST_SECONDS = 5 * 60;
/** The `typ` values of RFC 7523 §3 and of its draft revision. */
const TYPES = ['jwt', 'client-authentication+jwt'];

/** The requirements of an endpoint for the assertions of its clients. */
interface AssertionRules<Client> {
  /** An active client, by its ID as presented. */
  readonly find: (tx: TenantTx, subject: string) => Promise<Client | undefined>;
  /** Finds the client key that may have signed the assertion. It may fetch keys, so it runs without holding locks. */
  readonly findKey: (tenant: Tenant, client: Client, token: OutsideToken) => Promise<FoundKey>;
  /** The accepted audiences: the issuer of the tenant, and its endpoints where clients authenticate. */
  readonly audiences: (tenant: Tenant) => readonly string[];
  /** Returns why an assertion is not accepted from this client, regardless of the key that signed it. */
  readonly findObjection: (
    tenant: Tenant,
    client: Client,
    token: OutsideToken,
  ) => string | undefined;
}

/** Authenticates clients by private_key_jwt (RFC 7523 §2.2 and §3; OpenID Connect Core §9). */
export class ClientAssertions<Client> {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #spentStatements: SpentStatements;
  readonly #rules: AssertionRules<Client>;

  constructor(
    gate: Gate,
    clock: Clock,
    spentStatements: SpentStatements,
    rules: AssertionRules<Client>,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#spentStatements = spentStatements;
    this.#rules = rules;
  }

  /** Requires that the assertion is signed by its subject, for this service, not expired, and not used before. */
  async verify(
    tenant: Tenant,
    assertion: string,
    clientId: string | undefined,
  ): Promise<Verdict<Client>> {
    const { audiences, find, findKey, findObjection } = this.#rules;
    const token = parseOutsideToken(assertion);
    if (!token) return { refusal: 'malformed' };
    // Checks that need no key come first, since the key may need to be fetched.
    const statement = readStatement(token, clientId, this.#clock.now(), audiences(tenant));
    if ('refusal' in statement) return statement;
    const { subject: maker, jti } = statement;
    const client = await this.#gate.into(tenant.id).transaction((tx) => find(tx, maker));
    if (!client) return { refusal: checkWithDecoy(token) };
    const refusal = findObjection(tenant, client, token);
    const found = refusal === undefined ? await findKey(tenant, client, token) : { refusal };
    if (!found.key) {
      checkWithDecoy(token);
      return found;
    }
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    const endsAt = endOf(token.claims);
    const isNew = await this.#spentStatements.spend({ tenantId: tenant.id, maker, jti, endsAt });
    return isNew ? { client } : { refusal: 'used before' };
  }
}

type ReadStatement =
  | { readonly subject: string; readonly jti: string }
  | { readonly refusal: string };

/** Reads an assertion and checks everything except its signature. */
function readStatement(
  token: OutsideToken,
  clientId: string | undefined,
  now: Date,
  audiences: readonly string[],
): ReadStatement {
  if (!TYPES.includes(token.typ)) return { refusal: 'malformed' };
  const { iss, sub, aud } = token.claims;
  if (typeof sub !== 'string' || iss !== sub) return { refusal: 'subject' };
  if (clientId !== undefined && clientId !== sub) return { refusal: 'subject' };
  const flaw = timesFlaw(token.claims, now, LONGEST_SECONDS);
  if (flaw) return { refusal: flaw };
  if (!isOnlyFor(aud, audiences)) return { refusal: 'aud' };
  const jti = jtiOf(token.claims);
  return jti === undefined ? { refusal: 'jti' } : { subject: sub, jti };
}

/** Returns the registered key that may have signed an assertion. */
export function registeredKey(jwks: AgentKeySet | null, token: OutsideToken): FoundKey {
  const named = (jwks?.keys ?? []).filter(
    ({ kid }) => token.kid === undefined || token.kid === kid,
  );
  const keys = named.map(readPublicJwk).filter((key): key is OutsideKey => key !== undefined);
  const key = keyOf(token, keys);
  return key ? { key } : { refusal: 'kid' };
}

function checkWithDecoy(token: OutsideToken): 'client' {
  const decoy = decoyFor(token);
  if (decoy) outsideSignatureIsValid(token, decoy);
  return 'client';
}

/** Public keys whose private keys do not exist. */
const DECOYS = [
  { kty: 'OKP', crv: 'Ed25519', x: 'Xh4ir7_KwqUfooA25MVUp--Gmq3D2bcBT5SopodHitc' },
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'U5MeLVAx1UCjxapSxoewBsa3LynCihLOauha5yL85lY',
    y: '8eAGSkgBAVC-667tEi3KMQy9kSLPOaOSDZDE_nliBuo',
  },
  {
    kty: 'RSA',
    n: 'yhl_VfSna60URFs_bCweZoUXeOdvaFFKYRC955rLvw_SseGevlZdSVoZQ8x17eatp6WaTspPE8tWyliPZG2yMdRSg26ebyzf7eLvJdz01fvmG7n06b_8UyLTKIMgPI9v6AvcKa7XNhMW17gg9129t2UVbbMXJ8d9lELJC6uYFkjbpSHmgZAp637MkqAHOWQUHrH7iVqf25C6DpOutWBjOkd66er4X0MUJoNU-_D6fFJa_8erqpBguuqNg8okdsfQcS3nb6UF-uggvTKLtUkqv9Tc4MWytuNebIXgiAvzvRZOIq9Quowg_aD8B_94y6x5sb5S6ZnhXdkt4gDlKay-Qw',
    e: 'AQAB',
  },
];

/**
 * Returns the key to check an assertion against if there is no client, or none of its keys fits: the response is the
 * same as for a wrong signature, and takes as long.
 */
function decoyFor({ alg }: OutsideToken): OutsideKey | undefined {
  return DECOYS.map(readPublicJwk).find((key) => key?.algorithms.includes(alg));
}

type Claims = Readonly<Record<string, unknown>>;

/** The year 5138. */
const LATEST_SECONDS = 100_000_000_000;

/**
 * The time claim that makes a statement invalid at this moment (RFC 7519 §4.1); undefined if there is none.
 * @param longestSeconds how far in the future its expiry can be
 */
export function timesFlaw(
  { exp, nbf, iat }: Claims,
  now: Date,
  longestSeconds = LATEST_SECONDS,
): 'exp' | 'nbf' | 'iat' | undefined {
  const seconds = epochSeconds(now);
  if (!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds) return 'exp';
  if (exp - CLOCK_SKEW_SECONDS > seconds + longestSeconds) return 'exp';
  const isPast = (time: unknown) => isTime(time) && time - CLOCK_SKEW_SECONDS <= seconds;
  if (nbf !== undefined && !isPast(nbf)) return 'nbf';
  return iat === undefined || isPast(iat) ? undefined : 'iat';
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < LATEST_SECONDS;
}

/** When a valid statement has expired on every node, including clock skew. */
export function endOf({ exp }: Claims): Date {
  return new Date((Number(exp) + 2 * CLOCK_SKEW_SECONDS) * 1000);
}

/** Whether a statement is for exactly one of these audiences: any other audience could replay it here. */
export function isOnlyFor(aud: unknown, audiences: readonly string[]): boolean {
  const [audience, ...others] = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  return others.length === 0 && typeof audience === 'string' && audiences.includes(audience);
}

const MAX_JTI = 256;

/** The `jti` of a statement; undefined if it has none that can be stored. */
export function jtiOf({ jti }: Claims): string | undefined {
  return typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI ? jti : undefined;
}

/**
 * Issuers that sign tokens for every account, and the claims that identify an account. A trust without a subject or
 * one of these claims would match the tokens of strangers.
 */
const SHARED_ISSUERS: Readonly<Record<string, readonly string[]>> = {
  'https://token.actions.githubusercontent.com': [
    'repository',
    'repository_id',
    'repository_owner',
    'repository_owner_id',
    'job_workflow_ref',
    'enterprise_id',
  ],
  'https://gitlab.com': ['project_id', 'project_path', 'namespace_id', 'namespace_path'],
  'https://accounts.google.com': ['email', 'hd'],
  'https://agent.buildkite.com': ['organization_id', 'organization_slug', 'pipeline_id'],
  'https://app.terraform.io': [
    'terraform_organization_id',
    'terraform_organization_name',
    'terraform_workspace_id',
  ],
};

/** Returns the flaw in a trust's rules; undefined if they identify a subject. */
export function rulesFlaw({ issuer, subject, claims = {} }: AgentTrust): string | undefined {
  if (subject !== undefined) return undefined;
  const names = Object.keys(claims);
  if (names.length === 0) return 'requires a subject or claims';
  const identifying = SHARED_ISSUERS[issuer.replace(/\/$/, '')];
  if (!identifying || names.includes('sub') || names.some((name) => identifying.includes(name))) {
    return undefined;
  }
  return `requires a subject or one of these claims, because anyone can get tokens from this issuer: ${identifying.join(', ')}`;
}

/** Whether a trust matches a token that has a valid signature and valid times. */
export function trustFits(trust: AgentTrust, claims: Readonly<Record<string, unknown>>): boolean {
  return (
    claims['iss'] === trust.issuer &&
    isOnlyFor(claims['aud'], [trust.audience]) &&
    typeof claims['sub'] === 'string' &&
    (trust.subject === undefined || claims['sub'] === trust.subject) &&
    Object.entries(trust.claims ?? {}).every(
      ([name, accepted]) => Object.hasOwn(claims, name) && isAmong(claims[name], accepted),
    )
  );
}

function isAmong(value: unknown, accepted: ClaimValue | readonly ClaimValue[]): boolean {
  const values: readonly unknown[] = Array.isArray(accepted) ? accepted : [accepted];
  return values.includes(value);
}

interface Proofs {
  readonly jwks?: AgentKeySet | null;
  readonly trusts?: readonly AgentTrust[];
}

/** @throws AppError VALIDATION_FAILED for unusable keys, and for trusts that match too many subjects */
export function requireGoodProofs(
  { jwks, trusts = [] }: Proofs,
  egress: Pick<Egress, 'findObjection'>,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = [
    ...keyFlaws(jwks?.keys ?? []),
    ...trusts.flatMap((trust, index) => trustFlaws(trust, `/trusts/${index}`, egress)),
  ];
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

function keyFlaws(keys: AgentKeySet['keys']): FieldError[] {
  const kids = new Set(keys.map(({ kid }) => kid));
  const flaws = keys.flatMap((key, index): FieldError[] =>
    readPublicJwk(key)
      ? []
      : [
          {
            path: `/jwks/keys/${index}`,
            message: 'must be a public key of Ed25519, P-256, or RSA of 2048 to 4096 bits',
          },
        ],
  );
  return kids.size === keys.length
    ? flaws
    : [
        ...flaws,
        { path: '/jwks/keys', message: 'must not hold two keys with the same kid, or without one' },
      ];
}

function trustFlaws(
  trust: AgentTrust,
  path: string,
  egress: Pick<Egress, 'findObjection'>,
): FieldError[] {
  const objection = egress.findObjection(trust.issuer);
  const flaw = rulesFlaw(trust);
  return [
    ...(objection ? [{ path: `${path}/issuer`, message: objection.detail }] : []),
    ...(flaw === undefined ? [] : [{ path, message: flaw }]),
  ];
}
