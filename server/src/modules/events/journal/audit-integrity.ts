import { timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '@keywright/contract/canonical-json';
import type { TenantId } from '@keywright/contract/ids';
import type { AuditEntry } from '@keywright/contract/records/audit-entry';
import { epochSeconds } from '../../../platform/clock.ts';
import {
  type ParsedToken,
  type SigningKey,
  parseToken,
  signToken,
} from '../../../platform/crypto/jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { AuditKey, AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { type NewEntry, hmacOf } from './audit-record.ts';

/** Whether the service wrote exactly this entry, for this tenant. False without a MAC. */
export function isAuthentic(key: AuditKey, entry: AuditEntry): boolean {
  if (entry.mac === undefined) return false;
  const stored = Buffer.from(entry.mac, 'base64url');
  const right = Buffer.from(hmacOf(key, entry.tenant_id, canonicalJson(columnsOf(entry))), 'hex');
  return stored.length === right.length && timingSafeEqual(stored, right);
}

/** The columns passed to the database, before the position in the chain is known. */
function columnsOf(entry: AuditEntry): NewEntry {
  const { id, created_at, actor, action, target, outcome, address, request_id, count, details } =
    entry;
  // In the order of canonical JSON.
  return {
    action,
    actor_id: actor.id,
    actor_kind: actor.kind,
    address,
    count,
    created_at,
    credential: actor.credential,
    details,
    id,
    on_behalf_of: actor.on_behalf_of,
    outcome,
    request_id,
    target_id: target.id,
    target_kind: target.kind,
  };
}

/** Verifies MACs of the service. */
export interface MacCheck {
  /** Undefined if the key is missing, or cannot be unwrapped. */
  readonly isAuthentic: ((entry: AuditEntry) => boolean) | undefined;
}

/** Returns the check that recognizes the entries of a tenant that the service wrote. */
export async function findMacCheck({ tenantId }: TenantData, keys: AuditKeys): Promise<MacCheck> {
  // Without the data key, everything else is still verified.
  const key = await keys.find(tenantId).catch(() => undefined);
  return { isAuthentic: key && ((entry) => isAuthentic(key, entry)) };
}

/** The `typ` of checkpoints: a token of another kind is not accepted as one (RFC 8725 §3.11). */
const CHECKPOINT_TYP = 'audit-checkpoint+jwt';

/** SHA-256 of the canonical JSON of an entry without its hash. */
export function hashOf(entry: AuditEntry): Buffer {
  const covered = { ...entry, hash: undefined };
  return sha256(canonicalJson(covered));
}

/** A head of a tenant's chain. */
interface Head {
  readonly tenant_id: TenantId;
  readonly position: number;
  /** The hash of the entry at that position, in base64url. */
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
  const isCheckpoint =
    typeof tenantId === 'string' && Number.isSafeInteger(position) && typeof hash === 'string';
  if (!isCheckpoint) return undefined;
  return { tenant_id: tenantId as TenantId, position: Number(position), hash, parsed };
}
