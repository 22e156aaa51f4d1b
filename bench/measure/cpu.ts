import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in 1/100 s towards programs, whatever its own tick is (proc_pid_stat(5)). */
const MICROS_PER_TICK = 10_000;
const BYTES_PER_KIB = 1024;

interface ProcessTimes {
  readonly name: string;
  readonly parent: number;
  /** All threads of the process, ended ones too; user and system time. */
  readonly ownMicros: number;
  /** Children that ended and were waited for. */
  readonly endedChildrenMicros: number;
}

/** CPU time that a process has used so far, in microseconds. */
export function cpuMicros(pid: number): number {
  return read(pid).ownMicros;
}

/** CPU time that a process and its children, ended ones too, have used so far, in microseconds. */
export function groupCpuMicros(pid: number): number {
  const { ownMicros, endedChildrenMicros } = read(pid);
  return childrenOf(pid).reduce(
    (sum, child) => sum + microsOfChild(child),
    ownMicros + endedChildrenMicros,
  );
}

/**
 * The same to the microsecond, as far as processes have not ended: what others are told in hundredths of a second of
 * each process would hide what little there is between two rounds.
 */
export function fineCpuMicros(pid: number): number {
  return childrenOf(pid).reduce(
    (sum, child) => sum + scheduledMicros(child),
    scheduledMicros(pid) + read(pid).endedChildrenMicros,
  );
}

/** CPU time that the whole machine has been busy, in microseconds; what a host took away counts too. */
export function machineMicros(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are within user (proc_stat(5)).
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = total
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * MICROS_PER_TICK;
}

/** Memory of a process that is in RAM now, in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * BYTES_PER_KIB;
}

/** The parent of a process and what its program is called; nothing when there is no such process here. */
export function findParent(
  pid: number,
): { readonly pid: number; readonly name: string } | undefined {
  try {
    const { parent } = read(pid);
    return { pid: parent, name: read(parent).name };
  } catch {
    return undefined;
  }
}

function read(pid: number): ProcessTimes {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name stands in parentheses and may itself hold some.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  // Counted from field 3, the state.
  const number = (field: number) => Number(fields[field - 3]);
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    parent: number(4),
    ownMicros: (number(14) + number(15)) * MICROS_PER_TICK,
    endedChildrenMicros: (number(16) + number(17)) * MICROS_PER_TICK,
  };
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

/** Nothing for one that ended just now. */
function scheduledMicros(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .reduce((sum, line) => sum + Number(line.split(' ', 1)[0]) / 1000, 0);
  } catch {
    return 0;
  }
}

/** One that ended just now is counted by its parent the next time. */
function microsOfChild(pid: number): number {
  try {
    return cpuMicros(pid);
  } catch {
    return 0;
  }
}
