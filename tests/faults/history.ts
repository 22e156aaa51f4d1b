/** An accepted use of a session. It started at this turn of the history. */
interface Use {
  readonly session: string;
  readonly startedAt: number;
  readonly what: string;
}

/** The final state. */
export interface Outcome {
  /** Writes that the database holds. */
  readonly stored: ReadonlySet<string>;
  /** Writes with an event in the log. */
  readonly reported: ReadonlySet<string>;
  /** The number of rotations of each remaining session. */
  readonly generations: ReadonlyMap<string, number>;
  /** Deliveries that the receiver got, if there was one: the event, the write that it reports, and the body. */
  readonly deliveries?: readonly Delivery[];
}

export interface Delivery {
  readonly event: string;
  readonly write: string;
  readonly body: string;
}

/**
 * The responses to clients in order, and the invariants that hold whatever fails. Only responses count: a request
 * without a response can have taken effect or not.
 */
export class History {
  #turn = 0;
  readonly #children = new Map<string, Set<string>>();
  readonly #rotations = new Map<string, number>();
  readonly #revoked = new Map<string, number>();
  readonly #uses: Use[] = [];
  readonly #acknowledged = new Set<string>();
  readonly #stranded: string[] = [];

  /** The current turn: later records have later turns. */
  turn(): number {
    this.#turn += 1;
    return this.#turn;
  }

  /** Records that a use of `parent` returned `child`. */
  rotated(session: string, parent: string, child: string): void {
    const children = this.#children.get(parent) ?? new Set();
    if (children.size === 0) this.#rotations.set(session, (this.#rotations.get(session) ?? 0) + 1);
    this.#children.set(parent, children.add(child));
  }

  /** Records a successful revocation. */
  revoked(session: string): void {
    this.#revoked.set(session, this.turn());
  }

  /** Records that a request accepted a credential of the session; it started at that turn. */
  accepted(session: string, startedAt: number, what: string): void {
    this.#uses.push({ session, startedAt, what });
  }

  /** Records a successful write. */
  acknowledged(write: string): void {
    this.#acknowledged.add(write);
  }

  /** Records that a well-behaved client could not continue. */
  stranded(client: string): void {
    this.#stranded.push(client);
  }

  get counts() {
    return {
      rotations: [...this.#rotations.values()].reduce((sum, count) => sum + count, 0),
      revocations: this.#revoked.size,
      uses: this.#uses.length,
      writes: this.#acknowledged.size,
    };
  }

  /** Violations as sentences; empty if there are none. */
  violations(outcome: Outcome): string[] {
    return [
      ...this.#stranded.map((client) => `stranded: ${client}`),
      ...this.#doubleSuccessors(),
      ...this.#unknownRotations(outcome.generations),
      ...this.#usesOfRevoked(),
      ...missing('lost', this.#acknowledged, outcome.stored),
      ...missing('no event about', outcome.stored, outcome.reported),
      ...missing('an event about what is not there:', outcome.reported, outcome.stored),
      ...(outcome.deliveries ? deliveryViolations(outcome.stored, outcome.deliveries) : []),
    ];
  }

  #doubleSuccessors(): string[] {
    return [...this.#children]
      .filter(([, children]) => children.size > 1)
      .map(([parent, { size }]) => `${size} successors of the token …${parent.slice(-12)}`);
  }

  /** A rotation unknown to all clients is a second successor of some token. */
  #unknownRotations(generations: Outcome['generations']): string[] {
    return [...generations]
      .map(([session, generation]) => ({
        session,
        generation,
        recorded: this.#rotations.get(session) ?? 0,
      }))
      .filter(({ generation, recorded }) => generation !== recorded)
      .map(
        ({ session, generation, recorded }) =>
          `${session}: rotated ${generation} times, ${recorded} known`,
      );
  }

  #usesOfRevoked(): string[] {
    return this.#uses
      .filter(({ session, startedAt }) => startedAt > (this.#revoked.get(session) ?? Infinity))
      .map(({ session, what }) => `${what} of the revoked ${session} was taken`);
  }
}

function missing(
  what: string,
  expected: ReadonlySet<string>,
  there: ReadonlySet<string>,
): string[] {
  return [...expected].filter((entry) => !there.has(entry)).map((entry) => `${what} ${entry}`);
}

function deliveryViolations(stored: Outcome['stored'], deliveries: readonly Delivery[]): string[] {
  const bodies = new Map<string, string>();
  const changed = deliveries.filter(({ event, body }) => {
    const first = bodies.get(event) ?? body;
    bodies.set(event, first);
    return first !== body;
  });
  return [
    ...changed.map(({ event }) => `${event} was delivered with another body`),
    ...missing('not delivered:', stored, new Set(deliveries.map(({ write }) => write))),
  ];
}
