import type { ErrorCode } from '@keywright/contract/errors';
import type { Route } from '@keywright/contract/route';
import type { Side, World } from './world.ts';

/** A value in a request that can name a record of another tenant, and a value that names no record. */
export interface Reference {
  readonly foreign: (world: World, route: Route) => unknown;
  /** Undefined if responses differ for any two values, as for cursors. */
  readonly random?: (world: World) => unknown;
  /** The error code for a value that names no record of the tenant; undefined if the result is empty. */
  readonly refusal?: ErrorCode;
}

/** A value in a body, its response, and the rest of the body. */
export interface BodyReference extends Reference {
  readonly random: (world: World) => unknown;
  readonly status: number;
  /** Undefined if the response is not an error. */
  readonly code?: string;
  readonly around: (value: unknown, side: Side) => Readonly<Record<string, unknown>>;
}
