import type { RouteId } from '../generated/routes.ts';

/** A route that is a command. */
export interface Row {
  readonly name: string;
  readonly route: RouteId;
  readonly summary: string;
  /** The fields shown in a list; absent if the route returns one record. */
  readonly columns?: readonly string[];
  /** Fields whose options have different names. */
  readonly rename?: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
}
