import { readFileSync } from 'node:fs';

const KIB_IN_MIB = 1024;

/** Memory of a process that is in use (RSS), in MiB. Linux only. */
export function residentMib(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / KIB_IN_MIB;
}

export interface Sample {
  readonly seconds: number;
  readonly mib: number;
}

/** Use rises and falls with garbage collection; the minima show what is retained. */
export function lowestOfEachMinute(samples: readonly Sample[]): Sample[] {
  const minutes = Map.groupBy(samples, ({ seconds }) => Math.floor(seconds / 60));
  return Array.from(minutes.values(), (minute) =>
    minute.reduce((lowest, sample) => (sample.mib < lowest.mib ? sample : lowest)),
  );
}

/** The growth per hour: the slope of a least-squares fit. */
export function slopeMibPerHour(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(samples.map((sample) => sample.seconds));
  const level = mean(samples.map((sample) => sample.mib));
  let product = 0;
  let square = 0;
  for (const { seconds, mib } of samples) {
    product += (seconds - at) * (mib - level);
    square += (seconds - at) ** 2;
  }
  return (product / square) * 3600;
}
