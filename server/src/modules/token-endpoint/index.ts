export { bindTokenEndpoint } from './routes.ts';
