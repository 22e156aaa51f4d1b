import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';

export function scopeOfCell(action: string, resource: string): string {
  return `${action}:${resource}`;
}

const CELLS = new Set(
  RESOURCES.flatMap((resource) => ACTIONS.map((action) => scopeOfCell(action, resource))),
);

/** Returns the scopes without a cell or a choice: those of a tenant's own services. */
export function scopesBeside(scopes: readonly string[], choices: readonly string[] = []): string[] {
  return scopes.filter((scope) => !CELLS.has(scope) && !choices.includes(scope));
}
