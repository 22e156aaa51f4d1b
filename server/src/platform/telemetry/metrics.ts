import type { FastifyRequest } from 'fastify';

type Labels = Readonly<Record<string, string>>;

/** What the parts of the service count, and where they say what to look at. */
export interface Metrics {
  /** @returns counts one more, or as many as are given, under the labels */
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): (of?: Labels, by?: number) => void;
  /**
   * Read at each scrape. By label values where there is a label.
   * @param ofWorkers how the readings of several processes become one; default their sum
   */
  gauge(
    name: string,
    help: string,
    read: ReadGauge,
    label?: string,
    ofWorkers?: 'sum' | 'max',
  ): void;
}

type Reading = number | Readonly<Record<string, number>>;
type ReadGauge = () => Reading | Promise<Reading>;

/** Where nobody scrapes, nothing is counted. */
export const NO_METRICS: Metrics = { counter: () => () => undefined, gauge: () => undefined };

/** The id of the route that answers; a path that is none has no label of its own. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.config.routeId ?? 'none';
}
