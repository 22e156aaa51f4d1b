export { suspicionOf } from './recorded.ts';
