import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';

export function scopeOfCell(action: string, resource: string): string {
  return `${action}:${resource}`;
}

const CELLS = new Set(
  RESOURCES.flatMap((resource) => ACTIONS.map((action) => scopeOfCell(action, resource))),
);

/** Those that neither a cell nor one of the choices stands for: the scopes of a tenant's own services. */
export function scopesBeside(scopes: readonly string[], choices: readonly string[] = []): string[] {
  return scopes.filter((scope) => !CELLS.has(scope) && !choices.includes(scope));
}
