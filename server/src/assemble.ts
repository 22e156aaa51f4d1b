import type { Core, Module, ModuleInstance, Use } from './tenancy/module.ts';

/** The modules created for one service. */
export interface Assembly {
  readonly use: Use;
  /** In the order of the list of modules. */
  readonly instances: readonly ModuleInstance<unknown>[];
}

/**
 * Creates each module once, its dependencies first.
 * @throws Error when modules depend on each other circularly, or on one that is not listed
 */
export function assemble(modules: readonly Module[], core: Core): Assembly {
  const created = new Map<Module, ModuleInstance<unknown> | 'under way'>();

  function create(module: Module): ModuleInstance<unknown> {
    const existing = created.get(module);
    if (existing === 'under way') throw new Error(`The module ${module.name} depends on itself.`);
    if (existing) return existing;
    if (!modules.includes(module)) throw new Error(`The module ${module.name} is not listed.`);
    created.set(module, 'under way');
    const instance = module.create(core, use);
    created.set(module, instance);
    return instance;
  }

  const use: Use = <Offer>(module: Module<Offer>) => create(module).offer as Offer;
  return { use, instances: modules.map(create) };
}
