import { type Break, type DirectedBreaks, lastDefinitions, lineAt } from './breaks.ts';
import { migrationsOf, type Tree } from './areas.ts';
import { API_KEYS } from './directed/api-keys.ts';
import { AUDIT_VERIFICATION } from './directed/audit-verification.ts';
import { AUTHENTICATION } from './directed/authentication.ts';
import { CLIENT_PROOFS } from './directed/client-proofs.ts';
import { DATABASE_FUNCTIONS } from './directed/database-functions.ts';
import { EGRESS } from './directed/egress.ts';
import { GRANTS } from './directed/grants.ts';
import { MIXED_BATCHES } from './directed/mixed-batches.ts';
import { TENANCY } from './directed/tenancy.ts';

const DIRECTED: Readonly<Record<string, readonly DirectedBreaks[]>> = {
  'audit-verification': AUDIT_VERIFICATION,
  grants: GRANTS,
  'mixed-batches': MIXED_BATCHES,
  tenancy: TENANCY,
  authentication: AUTHENTICATION,
  'api-keys': API_KEYS,
  egress: EGRESS,
  'client-proofs': CLIENT_PROOFS,
  'database-functions': DATABASE_FUNCTIONS,
};

/** The directed breaks of an area. @throws when one fits nowhere any more */
export function directedBreaksOf(area: string, tree: Tree): Break[] {
  return (DIRECTED[area] ?? []).flatMap((some) => {
    const { file, text: whole, start: from, end: to } = placeOf(some.in, tree);
    return some.breaks.map(([text, replacement, what]): Break => {
      const start = whole.indexOf(text, from);
      const end = start + text.length;
      const second = whole.indexOf(text, start + 1);
      const isOnce = start >= 0 && end <= to && (second < 0 || second >= to);
      if (!isOnce) throw new Error(`${some.in} does not hold exactly once: ${text}`);
      return { file, line: lineAt(whole, start), what, start, end, replacement, by: some.by };
    });
  });
}

function placeOf(where: string, tree: Tree) {
  if (where.includes('/')) {
    const text = tree.read(where);
    return { file: where, text, start: 0, end: text.length };
  }
  const found = lastDefinitions(migrationsOf(tree)).find(({ name }) => name === where);
  if (!found) throw new Error(`There is no function ${where} any more.`);
  return { ...found, text: tree.read(found.file) };
}
