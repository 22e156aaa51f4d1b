import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports hundredths of a second, regardless of the kernel's own tick (proc_pid_stat(5)). */
const MICROS_PER_TICK = 10_000;

interface ProcessTimes {
  readonly name: string;
  readonly parent: number;
  /** User and system time of all threads, including ended ones. */
  readonly selfMicros: number;
  /** CPU time of children that ended and were waited for. */
  readonly endedChildrenMicros: number;
}

/** CPU time that a process has used so far, in microseconds. */
export function cpuMicros(pid: number): number {
  return read(pid).selfMicros;
}

/** CPU time of a process and its children, including ended ones, in microseconds. */
export function groupCpuMicros(pid: number): number {
  const { selfMicros, endedChildrenMicros } = read(pid);
  return childrenOf(pid).reduce(
    (sum, child) => sum + microsOfChild(child),
    selfMicros + endedChildrenMicros,
  );
}

/** The same with microsecond precision for running processes, because differences between rounds can be small. */
export function fineCpuMicros(pid: number): number {
  return childrenOf(pid).reduce(
    (sum, child) => sum + scheduledMicros(child),
    scheduledMicros(pid) + read(pid).endedChildrenMicros,
  );
}

/** CPU time that the whole machine has been busy, in microseconds, including time stolen by a hypervisor. */
export function machineMicros(): number {
  const [total = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; guests are within user (proc_stat(5)).
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = total
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * MICROS_PER_TICK;
}

/** Resident memory of a process, in KiB. */
export function residentKib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** The parent of a process and its name; undefined if there is no such process on this machine. */
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
  // The name is in parentheses and can itself contain parentheses.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  // Counted from field 3, the state.
  const number = (field: number) => Number(fields[field - 3]);
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    parent: number(4),
    selfMicros: (number(14) + number(15)) * MICROS_PER_TICK,
    endedChildrenMicros: (number(16) + number(17)) * MICROS_PER_TICK,
  };
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

/** 0 for a process that has just ended. */
function scheduledMicros(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      .reduce((sum, line) => sum + Number(line.split(' ', 1)[0]) / 1000, 0);
  } catch {
    return 0;
  }
}

/** 0 for a child that has just ended; its parent counts it next time. */
function microsOfChild(pid: number): number {
  try {
    return cpuMicros(pid);
  } catch {
    return 0;
  }
}
