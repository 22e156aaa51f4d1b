import type { TenantId } from '@keywright/contract/ids';

/** What an attempt is counted by, in the order that their rows are locked in. */
const KINDS = ['device', 'address', 'identifier'] as const;

/** An attempt of a login, as it is counted by one of these. */
export interface Attempt {
  readonly kind: (typeof KINDS)[number];
  readonly subject: Buffer;
  readonly limit: number;
}

/** A login, and what it is counted by. */
export interface Attempted {
  readonly tenantId: TenantId;
  readonly attempts: readonly Attempt[];
}

/** Attempts, and whose each is: its place among the logins, from 1 as SQL counts. */
interface InLockOrder {
  readonly logins: readonly number[];
  readonly attempts: readonly Attempt[];
}

/**
 * The attempts of several logins in the order that their rows are locked in, so that no two batches of logins
 * deadlock: first all by device, then all by address, then all by identifier.
 */
export function inLockOrder(all: readonly Attempted[]): InLockOrder {
  const order = KINDS.flatMap((kind) =>
    all
      .flatMap(({ tenantId, attempts }, index) =>
        attempts
          .filter((attempt) => attempt.kind === kind)
          .map((attempt) => ({ tenantId, attempt, login: index + 1 })),
      )
      .toSorted((one, other) =>
        one.tenantId === other.tenantId
          ? one.attempt.subject.compare(other.attempt.subject)
          : one.tenantId < other.tenantId
            ? -1
            : 1,
      ),
  );
  return {
    logins: order.map((one) => one.login),
    attempts: order.map((one) => one.attempt),
  };
}
