import { defineModule } from '../../../tenancy/module.ts';
import { createReadUndo } from '../../identity/identifiers/index.ts';
import { brandModule } from '../../branding/brand/module.ts';
import { bindUndoPages } from './routes.ts';

export const undoPagesModule = defineModule('undo pages', (core, use) => ({
  routes(router) {
    const { perform } = router;
    bindUndoPages(router, { ...use(brandModule), readUndo: createReadUndo(core), perform });
  },
}));
