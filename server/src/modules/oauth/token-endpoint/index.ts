export { bindMetadataRoutes } from './metadata-routes.ts';
export { bindTokenEndpoint } from './routes.ts';
