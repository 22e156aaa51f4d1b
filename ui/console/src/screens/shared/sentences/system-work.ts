import type { SentenceKey } from '../../../texts/sentences.ts';

/** Patterns of the recorded reason for work across tenants, and the sentence about each. */
const WORK: readonly (readonly [RegExp, SentenceKey])[] = [
  [/^(?:list|search) tenants$/, 'system.work.list'],
  [/^create tenant (?<name>.+)$/s, 'system.work.create'],
  [/^read tenant |^count dependents of /, 'system.work.read'],
  [/^change tenant /, 'system.work.change'],
  [/^try a change of tenant /, 'system.work.try'],
  [/^delete tenant /, 'system.work.delete'],
  [/^impersonate in [^:]+: (?<why>.+)$/s, 'system.work.impersonate'],
  [/^end impersonation in /, 'system.work.impersonated'],
  [/^export tenant /, 'system.work.export'],
  [/^import tenant /, 'system.work.import'],
  [/^list .+ of org_[^ ]+$/s, 'system.work.records'],
  [/^read the state of the installation$/, 'system.work.installation'],
  [/^make .+ the master key$/s, 'system.work.key'],
];

interface Work {
  readonly key: SentenceKey;
  /** Name of a new tenant. */
  readonly name?: string | undefined;
  /** The reason of the operator, or the whole recorded reason if no sentence covers it. */
  readonly why?: string | undefined;
}

/** Returns the sentence about work across tenants. */
export function workOf(reason: string): Work {
  for (const [pattern, key] of WORK) {
    const { groups, 0: found } = pattern.exec(reason) ?? {};
    if (found !== undefined) return { key, name: groups?.['name'], why: groups?.['why'] };
  }
  return { key: 'system.work', why: reason };
}
