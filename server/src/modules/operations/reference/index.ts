export { referenceModule } from './module.ts';
export {
  auditPage,
  environmentPage,
  errorsPage,
  eventSchemas,
  eventsPage,
  routesPage,
} from './markdown.ts';
