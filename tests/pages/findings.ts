import assert from 'node:assert/strict';

/** What was found, each once with the places that it was found at. */
export class Findings {
  readonly #found = new Map<string, string[]>();

  add(findings: readonly string[], at: string): void {
    for (const finding of findings)
      this.#found.set(finding, [...(this.#found.get(finding) ?? []), at]);
  }

  assertNone(): void {
    const lines = [...this.#found].map(([finding, at]) => `${finding}: ${namesOf(at)}`);
    assert.equal(lines.length, 0, lines.join('\n'));
  }
}

const NAMED = 5;

function namesOf(places: readonly string[]): string {
  const rest = places.length - NAMED;
  return [...places.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
