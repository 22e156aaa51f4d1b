export {
  challengeOfLink,
  isRightCode,
  isRightLinkToken,
  type MessageSecrets,
  messageSecrets,
} from './derive.ts';
export { linkOf } from './links.ts';
