import type { TenantId } from '@keywright/contract/ids';

/** The attempts of a login, by address and by identifier. */
export interface Attempted {
  readonly tenantId: TenantId;
  readonly attempts: readonly [Buffer, Buffer];
}

/** Attempts, and whose each is: its place among the logins, from 1 as SQL counts. */
interface InLockOrder {
  readonly logins: readonly number[];
  readonly subjects: readonly Buffer[];
}

/**
 * The attempts of several logins in the order that their rows are locked in, so that no two batches of logins wait
 * for each other in a circle: first all by address, then all by identifier.
 */
export function inLockOrder(all: readonly Attempted[]): InLockOrder {
  const order = ([0, 1] as const).flatMap((kind) =>
    all
      .map(({ tenantId, attempts }, index) => ({
        tenantId,
        subject: attempts[kind],
        login: index + 1,
      }))
      .toSorted((one, other) =>
        one.tenantId === other.tenantId
          ? one.subject.compare(other.subject)
          : one.tenantId < other.tenantId
            ? -1
            : 1,
      ),
  );
  return {
    logins: order.map((one) => one.login),
    subjects: order.map((one) => one.subject),
  };
}
