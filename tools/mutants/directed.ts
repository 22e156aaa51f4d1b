import { type Break, type DirectedBreaks, lineAt } from './breaks.ts';
import type { Tree } from './areas.ts';
import { API_KEYS } from './directed/api-keys.ts';
import { AUDIT_VERIFICATION } from './directed/audit-verification.ts';
import { AUTHENTICATION } from './directed/authentication.ts';
import { CLIENT_PROOFS } from './directed/client-proofs.ts';
import { DATABASE_FUNCTIONS } from './directed/database-functions.ts';
import { EGRESS } from './directed/egress.ts';
import { GRANTS } from './directed/grants.ts';
import { MIXED_BATCHES } from './directed/mixed-batches.ts';
import { PAGES } from './directed/pages.ts';
import { TENANCY } from './directed/tenancy.ts';

const DIRECTED: Readonly<Record<string, readonly DirectedBreaks[]>> = {
  'audit-verification': AUDIT_VERIFICATION,
  grants: GRANTS,
  'mixed-batches': MIXED_BATCHES,
  tenancy: TENANCY,
  authentication: AUTHENTICATION,
  'api-keys': API_KEYS,
  egress: EGRESS,
  pages: PAGES,
  'client-proofs': CLIENT_PROOFS,
  'database-functions': DATABASE_FUNCTIONS,
};

/** The directed breaks of an area. @throws when one fits nowhere any more */
export function directedBreaksOf(area: string, tree: Tree): Break[] {
  return (DIRECTED[area] ?? []).flatMap((some) => {
    const file = fileOf(some.in, tree);
    const whole = tree.read(file);
    return some.breaks.map(([text, replacement, what]): Break => {
      const start = whole.indexOf(text);
      const end = start + text.length;
      if (start < 0 || whole.indexOf(text, end) >= 0)
        throw new Error(`${some.in} does not hold exactly once: ${text}`);
      return { file, line: lineAt(whole, start), what, start, end, replacement, by: some.by };
    });
  });
}

function fileOf(where: string, tree: Tree): string {
  if (where.includes('/')) return where;
  const file = tree.functions.get(where);
  if (file === undefined) throw new Error(`There is no function ${where} any more.`);
  return file;
}
