import type { FastifyRequest } from 'fastify';

type Labels = Readonly<Record<string, string>>;

/** Counters and gauges of the service. */
export interface Metrics {
  /** @returns a function that increments the counter, by 1 or the given number, under the labels */
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): (of?: Labels, by?: number) => void;
  /**
   * Read at each scrape, by label value if there is a label.
   * @param ofWorkers how to combine the readings of several processes; default: their sum
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

/** Without a scraper, nothing is counted. */
export const NO_METRICS: Metrics = { counter: () => () => undefined, gauge: () => undefined };

/** The id of the answering route; unknown paths have no label of their own. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.config.routeId ?? 'none';
}
