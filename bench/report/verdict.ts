import type { Bar } from '../rows/row.ts';
import { isStandardPeer } from '../measure/party.ts';
import type { RowRecord } from './record.ts';

/** How many times more expensive a row may become. */
const TOLERANCE = 1.15;

/** The cost of a row, service and database together, relative to what the same run measured. */
export interface Ratios {
  /** The cost divided by that of the floor. */
  readonly toFloor: number;
  /** The cost of the best peer divided by it; undefined without a peer. */
  readonly toPeer: number | undefined;
}

/** @param records of any runs; only standard peers of the same run count, because not every run has the others */
export function ratiosOf(record: RowRecord, records: readonly RowRecord[]): Ratios {
  const peers = peersOf(record, records).filter(({ party }) => isStandardPeer(party));
  const cost = costOf(record);
  return {
    toFloor: cost / record.floor.micros,
    toPeer: peers.length === 0 ? undefined : Math.min(...peers.map(costOf)) / cost,
  };
}

/** The peers that were measured in the run of a record. */
export function peersOf(record: RowRecord, records: readonly RowRecord[]): RowRecord[] {
  return records.filter(
    ({ row, at, party }) =>
      row === record.row && at === record.at && !party.startsWith('keywright'),
  );
}

/** CPU microseconds of the server and the database. */
export function costOf({ server_micros: server, database_micros: database }: RowRecord): number {
  return server + (database ?? 0);
}

/** Whether a record meets the bar of its row; undefined without a bar, or if a part of it was not measured. */
export function judge(
  bar: Bar | undefined,
  record: RowRecord,
  { toFloor, toPeer }: Ratios,
): boolean | undefined {
  if (!bar) return undefined;
  const { floorTimes, peerTimes, floorShare, probesTimes, p50Ms } = bar;
  const met = [
    floorTimes === undefined || toFloor <= floorTimes,
    peerTimes === undefined || (toPeer === undefined ? undefined : toPeer >= peerTimes),
    floorShare === undefined || record.share >= floorShare,
    probesTimes === undefined || slowestProbe(record) <= probesTimes * (record.floor_p99_ms ?? 0),
    p50Ms === undefined || record.p50_ms <= p50Ms,
  ];
  if (met.includes(false)) return false;
  return met.includes(undefined) ? undefined : true;
}

/** The p99 of the slowest of the other routes, in milliseconds. */
export function slowestProbe({ probes_p99_ms: probes }: RowRecord): number {
  return Math.max(0, ...Object.values(probes));
}

/**
 * Whether a row is more expensive than before by both ratios. One of them alone may rise because a machine favors the
 * floor, or because a peer became cheaper.
 */
export function isDearer(now: Ratios, before: Ratios): boolean {
  if (now.toPeer === undefined || before.toPeer === undefined) return false;
  return now.toFloor > before.toFloor * TOLERANCE && now.toPeer * TOLERANCE < before.toPeer;
}

export function describeBar(bar: Bar | undefined): string {
  if (!bar) return '';
  const { floorTimes, peerTimes, floorShare, probesTimes, p50Ms } = bar;
  return [
    floorTimes === undefined ? [] : `≤${floorTimes}× the floor`,
    peerTimes === undefined ? [] : `best peer ≥${peerTimes}×`,
    floorShare === undefined ? [] : `≥${floorShare * 100} % of the floor’s rate`,
    probesTimes === undefined ? [] : `p99 of other routes ≤${probesTimes}× \`node:http\``,
    p50Ms === undefined ? [] : `p50 ≤${p50Ms} ms`,
  ]
    .flat()
    .join(', ');
}

export function describeRatio(ratio: number | undefined): string {
  if (ratio === undefined) return '';
  return `${ratio.toFixed(ratio < 10 ? 1 : 0)}×`;
}
