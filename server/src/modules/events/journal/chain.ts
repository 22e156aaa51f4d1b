import { createHash } from 'node:crypto';
import type { TenantId } from '@keywright/contract/ids';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { epochSeconds } from '../../../platform/clock.ts';
import { canonicalJson } from '@keywright/contract/canonical-json';
import {
  parseToken,
  type ParsedToken,
  type SigningKey,
  signToken,
} from '../../../platform/crypto/jws.ts';

/** The `typ` of checkpoints: no token of another kind is taken for one (RFC 8725 §3.11). */
const CHECKPOINT_TYP = 'audit-checkpoint+jwt';

/** SHA-256 of the canonical JSON of an entry without its hash. */
export function hashOf(entry: AuditEntry): Buffer {
  const covered = { ...entry, hash: undefined };
  return createHash('sha256').update(canonicalJson(covered)).digest();
}

/** A head of a tenant's chain. */
export interface Head {
  readonly tenant_id: TenantId;
  readonly position: number;
  /** Of the entry at that position, base64url. */
  readonly hash: string;
}

/** Signs a head of the chain: a copy of the token later proves whether the chain still contains it. */
export function signHead(key: SigningKey, { tenant_id, position, hash }: Head, now: Date): string {
  const claims = { tenant_id, position, hash, iat: epochSeconds(now) };
  return signToken(key, CHECKPOINT_TYP, claims);
}

export interface Checkpoint extends Head {
  readonly parsed: ParsedToken;
}

/** Parses a checkpoint without verifying its signature. @returns undefined if it is not one */
export function readCheckpoint(token: string): Checkpoint | undefined {
  const parsed = parseToken(token);
  if (parsed?.typ !== CHECKPOINT_TYP) return undefined;
  const { tenant_id: tenantId, position, hash } = parsed.claims;
  const isOne =
    typeof tenantId === 'string' && Number.isSafeInteger(position) && typeof hash === 'string';
  if (!isOne) return undefined;
  return { tenant_id: tenantId as TenantId, position: Number(position), hash, parsed };
}
