import type { ErrorCode } from '@keywright/contract/errors';
import type { Route } from '@keywright/contract/route';
import type { Side, World } from './world.ts';

/** A value in a request that may name something of another tenant, beside one that names nothing. */
export interface Reference {
  readonly foreign: (world: World, route: Route) => unknown;
  /** Undefined where two values are never answered alike, as with a cursor. */
  readonly random?: (world: World) => unknown;
  /** How one that names nothing of the tenant is answered; undefined: like one that has nothing. */
  readonly refusal?: ErrorCode;
}

/** A value in a body, what the answer to it is, and the body around it. */
export interface BodyReference extends Reference {
  readonly random: (world: World) => unknown;
  readonly status: number;
  /** None where the answer tells of no failure. */
  readonly code?: string;
  readonly around: (value: unknown, side: Side) => Readonly<Record<string, unknown>>;
}
