import type { FactorId, UserId } from '@keywright/contract/ids';
import { beginPasskeys } from '../../../../sql/authentication/kw_begin_passkeys.ts';
import {
  takePasskeys,
  type TakePasskeysRow,
} from '../../../../sql/authentication/kw_take_passkeys.ts';
import { usePasskeys } from '../../../../sql/authentication/kw_use_passkeys.ts';
import { batched } from '../../../platform/db/batch.ts';
import { rowsByPlace, sortedBatch, writeTogether } from '../../../platform/db/writes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { argumentsOf, type FlowRef, storedFlow } from './load-store.ts';
import type { StoredFlow } from './store.ts';

interface NewPasskeyChallenge extends FlowRef {
  readonly challengeHash: Buffer;
  readonly expiresAt: Date;
  readonly now: Date;
}

interface PresentedPasskey extends FlowRef {
  readonly challengeHash: Buffer;
  /** Its id. */
  readonly credential: Buffer;
  readonly now: Date;
}

/** A passkey as it is stored. */
export interface TakenPasskey {
  readonly factorId: FactorId;
  readonly userId: UserId;
  /** Of the user. */
  readonly isActive: boolean;
  readonly publicKey: Buffer;
  readonly algorithm: number;
  readonly isBackupEligible: boolean;
  readonly userHandle: Buffer;
  readonly rpId: string;
}

interface RightPasskey extends FlowRef {
  readonly userId: UserId;
  readonly factorId: FactorId;
  readonly counter: number;
  readonly isBackedUp: boolean;
  readonly now: Date;
}

/** A flow as it was found, before or after what was asked for. Undefined: an unknown id, or another secret. */
type Found<Result> = Promise<({ readonly flow: StoredFlow } & Result) | undefined>;

/** Passkeys in flows. Each is loaded with its flow; concurrent ones, of any tenants, are one statement and one commit. */
export interface FlowPasskeys {
  /** Stores the challenge that the next passkey has to sign. @returns `isBegun`: the flow is open, and may have another */
  begin(challenge: NewPasskeyChallenge): Found<{ readonly isBegun: boolean }>;
  /** Uses up the challenge. @returns `isTaken`: it was there; `passkey`: undefined if the tenant has none with this id */
  take(presented: PresentedPasskey): Found<{
    readonly isTaken: boolean;
    readonly passkey: TakenPasskey | undefined;
  }>;
  /** Accepts a passkey, unless its counter did not go up. @returns `authVersion`: of its user */
  use(passkey: RightPasskey): Found<{
    readonly authVersion: number | undefined;
    readonly isKnown: boolean;
    /** The ids of all that the user has. */
    readonly credentials: readonly Buffer[];
  }>;
}

/** How many challenges one flow can have. */
const MAX_CHALLENGES = 20;

const BATCH = { size: 32, flights: 2 };
const byFlow = ({ tenantId, id }: FlowRef) => `${tenantId} ${id}`;
const byUser = ({ tenantId, userId }: RightPasskey) => `${tenantId} ${userId}`;

export function createFlowPasskeys(gate: Gate): FlowPasskeys {
  return {
    begin: together(byFlow, (some: readonly NewPasskeyChallenge[]) => beginAll(gate, some)),
    take: together(byFlow, (some: readonly PresentedPasskey[]) => takeAll(gate, some)),
    use: together(byUser, (some: readonly RightPasskey[]) => useAll(gate, some)),
  };
}

async function beginAll(gate: Gate, some: readonly NewPasskeyChallenge[]) {
  const rows = await gate.callMany(beginPasskeys, {
    ...argumentsOf(some),
    challengeHashes: some.map((one) => one.challengeHash),
    limit: MAX_CHALLENGES,
    now: some.map((one) => one.now),
    expiresAt: some.map((one) => one.expiresAt),
  });
  return rowsByPlace(some.length, rows).map(
    ([row], index) =>
      row && { flow: storedFlow(some[index] as FlowRef, row), isBegun: row.is_begun },
  );
}

async function takeAll(gate: Gate, some: readonly PresentedPasskey[]) {
  const rows = await gate.callMany(takePasskeys, {
    ...argumentsOf(some),
    challengeHashes: some.map((one) => one.challengeHash),
    credentials: some.map((one) => one.credential),
    now: some.map((one) => one.now),
  });
  return rowsByPlace(some.length, rows).map(
    ([row], index) =>
      row && {
        flow: storedFlow(some[index] as FlowRef, row),
        isTaken: row.is_taken,
        passkey: passkeyOf(row),
      },
  );
}

async function useAll(gate: Gate, some: readonly RightPasskey[]) {
  const rows = await gate.callMany(usePasskeys, {
    ...argumentsOf(some),
    users: some.map((one) => one.userId),
    factors: some.map((one) => one.factorId),
    counters: some.map((one) => one.counter),
    backedUp: some.map((one) => one.isBackedUp),
    now: some.map((one) => one.now),
  });
  return rowsByPlace(some.length, rows).map(
    ([row], index) =>
      row && {
        flow: storedFlow(some[index] as FlowRef, row),
        authVersion: row.accepted_version ?? undefined,
        isKnown: row.is_known,
        credentials: row.credentials,
      },
  );
}

/** Sorted, so that two of these cannot deadlock. */
function together<Item, Answer>(
  keyOf: (item: Item) => string,
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  const runSorted = async (items: readonly Item[]) => {
    const { sorted, unsorted } = sortedBatch(items, keyOf);
    return unsorted(await run(sorted));
  };
  return batched((some: readonly Item[]) => writeTogether(some, runSorted), BATCH);
}

function passkeyOf(row: TakePasskeysRow): TakenPasskey | undefined {
  const { factor_id: factorId, owner_id: userId, public_key: publicKey } = row;
  const { user_handle: userHandle, rp_id: rpId, algorithm } = row;
  if (factorId === null || userId === null || publicKey === null) return undefined;
  if (userHandle === null || rpId === null || algorithm === null) return undefined;
  return {
    factorId,
    userId,
    isActive: row.is_owner_active === true,
    publicKey,
    algorithm,
    isBackupEligible: row.backup_eligible === true,
    userHandle,
    rpId,
  };
}
