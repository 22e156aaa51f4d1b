import type { Fail, FieldError } from '@keywright/contract/errors';
import type { AgentKeySet, AgentTrust } from '@keywright/contract/records/agent-proofs';
import { readPublicJwk } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { rulesFlaw } from './trust-rules.ts';

interface Proofs {
  readonly jwks?: AgentKeySet | null;
  readonly trusts?: readonly AgentTrust[];
}

/** @throws AppError VALIDATION_FAILED for unusable keys, and trusts that match too many subjects */
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
