export { deleteOneself } from './deletion.ts';
export type { GetUserById } from './read.ts';
