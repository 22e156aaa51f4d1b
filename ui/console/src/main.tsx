import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { createQueries } from './api/queries.ts';
import { prefetchSession } from './api/session.ts';
import { firstLocale, LanguageProvider } from './shell/language.tsx';
import { createConsoleRouter } from './shell/routes.ts';
import { applyDensity, applyTheme, readDensity, readTheme } from './shell/appearance.ts';
import { loadCatalog } from './texts/locales.ts';
import { tenantOf } from './url/inside.ts';

applyTheme(readTheme());
applyDensity(readDensity());
const element = document.querySelector('#console');
if (!element) throw new Error('The page has no place for the console.');
const queries = createQueries();
const tenant = tenantOf(globalThis.location.pathname);
if (tenant !== undefined) prefetchSession(queries, tenant);
const locale = firstLocale();
const catalog = await loadCatalog(locale);
createRoot(element).render(
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={queries}>
      <LanguageProvider locale={locale} catalog={catalog}>
        <RouterProvider router={createConsoleRouter(queries)} />
      </LanguageProvider>
    </QueryClientProvider>
  </CSPProvider>,
);
