import type { ErrorCode } from '@keywright/contract/errors';
import type { Route } from '@keywright/contract/route';
import type { Side, World } from './world.ts';

/** A value in a request that may name a record of another tenant, and one that names nothing. */
export interface Reference {
  readonly foreign: (world: World, route: Route) => unknown;
  /** Undefined if two values never have the same response, as with a cursor. */
  readonly random?: (world: World) => unknown;
  /** The code for one that names nothing of the tenant; undefined: the same as for an empty result. */
  readonly refusal?: ErrorCode;
}

/** A value in a body, the response to it, and the rest of the body. */
export interface BodyReference extends Reference {
  readonly random: (world: World) => unknown;
  readonly status: number;
  /** None where the response reports no failure. */
  readonly code?: string;
  readonly around: (value: unknown, side: Side) => Readonly<Record<string, unknown>>;
}
