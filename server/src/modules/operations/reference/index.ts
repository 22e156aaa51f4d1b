export { bindReferenceRoutes } from './routes.ts';
export {
  auditPage,
  environmentPage,
  errorsPage,
  eventSchemas,
  eventsPage,
  routesPage,
} from './markdown.ts';
