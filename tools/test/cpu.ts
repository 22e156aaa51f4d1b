import { readFileSync } from 'node:fs';

/** Linux reports hundredths of a second (proc_pid_stat(5)). */
const MS_PER_TICK = 10;

/** CPU time of this process and of its ended children, in milliseconds; on Linux also of their children. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + endedChildrenMs();
}

function endedChildrenMs(): number {
  try {
    // cutime and cstime, counted from after the name in parentheses.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
  } catch {
    return 0;
  }
}
