export { bindReferenceRoutes } from './routes.ts';
export { environmentPage, errorsPage, routesPage } from './markdown.ts';
