export { type UserService, deleteOneself } from './user-service.ts';
