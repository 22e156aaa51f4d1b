import type { TenantId } from '@keywright/contract/ids';
import type { Subject } from '../../../tenancy/counters.ts';

/** What attempts are counted by, in the order in which their rows are locked. */
const KINDS = ['device', 'address', 'site', 'range', 'newcomer', 'identifier', 'day'] as const;

/** One counter of a login attempt. */
export interface Attempt {
  readonly kind: (typeof KINDS)[number];
  readonly subject: Subject;
}

/** A login, and its counters. */
export interface Attempted<One extends Attempt = Attempt> {
  readonly tenantId: TenantId;
  readonly attempts: readonly One[];
}

/** Attempts, each with the index of its login, from 1 as in SQL. */
interface InLockOrder<One> {
  readonly logins: readonly number[];
  readonly attempts: readonly One[];
}

/**
 * Sorts the attempts of several logins in the order in which their rows are locked, so that two batches cannot deadlock:
 * first by device, then by address and the wider networks around it, then by identifier.
 */
export function inLockOrder<One extends Attempt>(all: readonly Attempted<One>[]): InLockOrder<One> {
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
