import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';

export function scopeOfCell(action: string, resource: string): string {
  return `${action}:${resource}`;
}

const CELLS = new Set(
  RESOURCES.flatMap((resource) => ACTIONS.map((action) => scopeOfCell(action, resource))),
);

/** Those that no cell stands for: the scopes of a tenant's own services. */
export function scopesBeside(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !CELLS.has(scope));
}
