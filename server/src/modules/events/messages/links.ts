import { showInvitation } from '@keywright/contract/routes/invitation-pages';
import { openLink } from '@keywright/contract/routes/login-returns';
import { showUndo } from '@keywright/contract/routes/undo-pages';

/** The address of a link in a message. Browsers send no fragment to servers, and none in a Referer. */
export function linkOf(page: string, linkToken: string): string {
  return `${page}#link_token=${linkToken}`;
}

/** The same at a page of the service, which needs no script: its token is in the query, and in no log. */
export function pageLinkOf(issuer: string, linkToken: string): string {
  return `${issuer}${openLink.path}?${new URLSearchParams({ link_token: linkToken }).toString()}`;
}

/** The address of a link that undoes a change. */
export function undoLinkOf(page: string, undoToken: string): string {
  return `${page}#undo_token=${undoToken}`;
}

/** The same at the page of the service. */
export function undoPageOf(issuer: string, token: string): string {
  return `${issuer}${showUndo.path}?${new URLSearchParams({ token }).toString()}`;
}

/** The address of a link that accepts an invitation. */
export function invitationLinkOf(page: string, token: string): string {
  return `${page}#token=${token}`;
}

/** The same at the page of the service. */
export function invitationPageOf(issuer: string, token: string): string {
  return `${issuer}${showInvitation.path}?${new URLSearchParams({ token }).toString()}`;
}
