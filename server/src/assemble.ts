import type { Core, Module, ModuleParts, Use } from './tenancy/module.ts';

/** The modules of one service, created. */
export interface Assembly {
  readonly use: Use;
  /** In the order of the list. */
  readonly parts: readonly ModuleParts<unknown>[];
}

/**
 * Creates each module once, those that it uses first.
 * @throws when modules use each other in a circle, or one uses another that is not listed
 */
export function assemble(modules: readonly Module[], core: Core): Assembly {
  const created = new Map<Module, ModuleParts<unknown> | 'under way'>();

  function create(module: Module): ModuleParts<unknown> {
    const known = created.get(module);
    if (known === 'under way') throw new Error(`The module ${module.name} uses itself, by others.`);
    if (known) return known;
    if (!modules.includes(module)) throw new Error(`The module ${module.name} is not listed.`);
    created.set(module, 'under way');
    const parts = module.create(core, use);
    created.set(module, parts);
    return parts;
  }

  const use: Use = <Offer>(module: Module<Offer>) => create(module).offer as Offer;
  return { use, parts: modules.map(create) };
}
