export { canLogIn } from './login-methods.ts';
export {
  countUsersByOtherLoginMethods,
  findUserLoginMethods,
  type UserLoginMethods,
} from './login-methods-store.ts';
