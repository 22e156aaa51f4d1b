import { TextLocale } from '@keywright/contract/locale';
import { route } from '@keywright/contract/route';
import { closed } from '@keywright/contract/shape';
import Type from 'typebox';
import { isDevelopment } from '../../../platform/development.ts';
import { Page } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { partsView } from './parts-view.ts';

/** Not part of the contract: in production it does not exist. */
const shownParts = route({
  id: 'service.parts',
  method: 'GET',
  path: '/dev/parts',
  access: 'open',
  errorForm: 'page',
  summary: 'The parts that pages are made of',
  query: closed({ locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: { styles: true } },
  errors: [],
});

/** For those who change how pages look. */
export const partsModule = defineModule('parts', ({ config }) =>
  isDevelopment(config) ? { routes: bindParts } : {},
);

export function bindParts(router: Router): void {
  router.add(shownParts, async ({ query: { locale = 'en' } }) => {
    return new Page(await partsView(await loadTexts(locale)));
  });
}
