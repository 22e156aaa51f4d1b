import { CLOCK_SKEW_SECONDS } from '@keywright/contract/claims';
import type { Fail, FieldError } from '@keywright/contract/errors';
import type { AgentTrust, ClaimValue, AgentKeySet } from '@keywright/contract/records/agent-proofs';
import { epochSeconds } from '../../../platform/clock.ts';
import { readPublicJwk } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';

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
  if (names.length === 0) return 'needs a subject, or claims';
  const identifying = SHARED_ISSUERS[issuer.replace(/\/$/, '')];
  if (!identifying || names.includes('sub') || names.some((name) => identifying.includes(name))) {
    return undefined;
  }
  return `needs a subject or one of these claims, since anybody can get tokens there: ${identifying.join(', ')}`;
}

/** Whether a trust matches a token that has a valid signature and valid times. */
export function trustFits(trust: AgentTrust, claims: Readonly<Record<string, unknown>>): boolean {
  return (
    claims['iss'] === trust.issuer &&
    isOnlyFor(claims['aud'], [trust.audience]) &&
    typeof claims['sub'] === 'string' &&
    (trust.subject === undefined || claims['sub'] === trust.subject) &&
    Object.entries(trust.claims ?? {}).every(
      ([name, accepted]) => Object.hasOwn(claims, name) && isOneOf(claims[name], accepted),
    )
  );
}

function isOneOf(value: unknown, accepted: ClaimValue | readonly ClaimValue[]): boolean {
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
