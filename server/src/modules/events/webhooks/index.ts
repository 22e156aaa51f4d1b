export { type Dispatcher, startDispatcher } from './dispatcher.ts';
export { bindWebhookRoutes } from './routes.ts';
