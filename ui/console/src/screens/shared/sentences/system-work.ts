import type { SYSTEM_WORK } from '@keywright/contract/audit';
import type { SentenceKey } from '../../../texts/sentences.ts';

/** The sentence about each reason for work across tenants. The first one that fits is used. */
const SENTENCES: Readonly<Record<(typeof SYSTEM_WORK)[number], SentenceKey>> = {
  'list tenants': 'system.work.list',
  'search tenants': 'system.work.list',
  'create tenant {name}': 'system.work.create',
  'read tenant {tenant}': 'system.work.read',
  'count dependents of {tenant}': 'system.work.read',
  'change tenant {tenant}': 'system.work.change',
  'try a change of tenant {tenant}': 'system.work.try',
  'delete tenant {tenant}': 'system.work.delete',
  'impersonate in {tenant}: {reason}': 'system.work.impersonate',
  'end impersonation in {tenant}': 'system.work.impersonated',
  'export tenant {tenant}': 'system.work.export',
  'import tenant {tenant}': 'system.work.import',
  'rotate the signing key of {tenant}': 'system.work.rotate',
  'create a system administrator': 'system.work.administrator',
  'recover a system administrator': 'system.work.recovered',
  'accept a moved database': 'system.work.moved',
  'read the state of the installation': 'system.work.installation',
  'look at the published keys': 'system.work.published',
  'make {key} the master key': 'system.work.key',
  'list {records} of {tenant}': 'system.work.records',
};

const PATTERNS = Object.entries(SENTENCES).map(([reason, key]) => {
  const pattern = reason.replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)');
  return [new RegExp(`^${pattern}$`, 's'), key] as const;
});

interface Work {
  readonly key: SentenceKey;
  /** Name of a new tenant. */
  readonly name?: string | undefined;
  /** The reason of the operator, or the whole recorded reason if no sentence covers it. */
  readonly why?: string | undefined;
}

/** Returns the sentence about work across tenants. */
export function workOf(reason: string): Work {
  for (const [pattern, key] of PATTERNS) {
    const { groups, 0: found } = pattern.exec(reason) ?? {};
    if (found !== undefined) return { key, name: groups?.['name'], why: groups?.['reason'] };
  }
  return { key: 'system.work', why: reason };
}
