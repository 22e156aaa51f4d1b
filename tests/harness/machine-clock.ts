// Sets the machine's clock wrong, as Node.js sees it. Tests import it for their own process, or pass it to child
// processes in NODE_OPTIONS. It sets a child's clock ahead by CLOCK_AHEAD_MS at its start; SIGUSR2 sets it ahead by
// CLOCK_AHEAD_ON_SIGNAL_MS, and back.

const RightDate = Date;
let ahead = 0;

class WrongDate extends RightDate {
  constructor(...parts: [] | [string | number | Date]) {
    if (parts.length === 0) super(RightDate.now() + ahead);
    else super(...parts);
  }

  static override now(): number {
    return RightDate.now() + ahead;
  }

  /** Dates created before the clock was set are also instances. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.isPrototypeOf.call(RightDate.prototype, Object(value));
  }
}

/** @param milliseconds how far the clock is ahead; negative: behind; 0: correct */
export function setMachineClock(milliseconds: number): void {
  ahead = milliseconds;
  globalThis.Date = milliseconds === 0 ? RightDate : (WrongDate as DateConstructor);
}

const { CLOCK_AHEAD_MS: atStart, CLOCK_AHEAD_ON_SIGNAL_MS: onSignal } = process.env;
if (atStart !== undefined) setMachineClock(Number(atStart));
if (onSignal !== undefined) {
  process.on('SIGUSR2', () => setMachineClock(ahead === 0 ? Number(onSignal) : 0));
}
