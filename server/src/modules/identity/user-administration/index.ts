export { deleteOneself, type UserService } from './user-service.ts';
