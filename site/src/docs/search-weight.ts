/** How much the words of a page count in a search. Readers look for guides before generated lists and records. */
const WEIGHTS: readonly (readonly [prefix: string, weight: number])[] = [
  ['adr', 0.2],
  ['decisions', 0.2],
  ['contributing/', 0.2],
  ['performance', 0.2],
  ['reference/', 0.4],
  ['rules', 0.2],
  ['standards', 0.2],
  ['conformance', 0.4],
  ['threat-model', 0.4],
];

export function searchWeightOf(id: string): number {
  return WEIGHTS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 1;
}
