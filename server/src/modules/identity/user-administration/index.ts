export { deleteOneself, type GetUserById } from './user-service.ts';
