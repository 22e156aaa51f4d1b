// A feature with pages for tests only: it shows that a folder and a registration are sufficient.

import { randomBytes } from 'node:crypto';
import { fail } from '@keywright/contract/errors';
import { pathTo } from '@keywright/contract/route';
import { newSessionId, newUserId } from '@keywright/server/platform/crypto/ids';
import { type Html, html, script, style } from '@keywright/server/platform/http/pages/html';
import { Page, SeeOther } from '@keywright/server/platform/http/replies';
import type { UserCaller } from '@keywright/server/tenancy/caller';
import { defineModule } from '@keywright/server/tenancy/module';
import {
  draft,
  draftSent,
  enterForm,
  enterSent,
  notesLogout,
  notes,
  notesCleared,
  notesSent,
} from './notes-routes.ts';

const WRONG_NAME = 'wrong';

const STYLE = style('body { font-family: system-ui }');
/** Appends to the page's title to show that it ran. */
const SCRIPT = script('document.title += ", enhanced"');

export const notesModule = defineModule('notes, of a test', () => {
  const sessions = new Map<string, Omit<UserCaller, 'from'>>();
  const written: string[] = [];
  return {
    authenticateBrowser: async ({ id }, { token }, from) => {
      const caller = sessions.get(`${id} ${token}`) ?? fail('BROWSER_SESSION_REQUIRED');
      return { claimed: { ...caller, from }, alive: undefined };
    },
    routes(router) {
      router.add(enterForm, ({ form }) => new Page(enterPage(form.field)));
      router.add(enterSent, ({ tenant, body, form }) => {
        if (body.name === WRONG_NAME) {
          const again = enterPage(form.field, body.name);
          return new Page(again, { refusal: 'INVALID_CREDENTIALS' });
        }
        const value = randomBytes(32).toString('base64url');
        sessions.set(`${tenant.id} ${value}`, newUser());
        const at = pathTo(notes, { tenant_id: tenant.id });
        return new SeeOther(at, [{ name: 'session', value, maxAgeSeconds: 3600 }]);
      });
      router.add(
        notes,
        ({ caller, form }) => new Page(notesPage(caller.subject, written, form.field)),
      );
      router.add(notesCleared, () => ({ cleared: written.splice(0).length }));
      router.replay(draftSent);
      router.add(
        draft,
        ({ caller, query }) =>
          new Page(page('Draft', html`<p>${caller.subject}: ${query.note}</p>`)),
      );
      router.add(notesSent, ({ tenant, body }) => {
        written.push(body.note);
        return new SeeOther(pathTo(notes, { tenant_id: tenant.id }));
      });
      router.add(notesLogout, ({ tenant }) => {
        const at = pathTo(enterForm, { tenant_id: tenant.id });
        return new SeeOther(at, [{ name: 'session', value: undefined }]);
      });
    },
  };
});

function newUser(): Omit<UserCaller, 'from'> {
  const now = new Date();
  return {
    kind: 'user',
    subject: newUserId(now),
    sessionId: newSessionId(now),
    scopes: [],
    roles: [],
    isSystemAdministrator: false,
    claims: {} as UserCaller['claims'],
  };
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        ${STYLE}
      </head>
      <body>
        <h1>${title}</h1>
        ${body} ${SCRIPT}
      </body>
    </html>`;
}

function enterPage(field: Html, refused?: string): Html {
  return page(
    'Enter',
    html`${refused === undefined ? undefined : html`<p role="alert">Not ${refused}.</p>`}
      <form method="post">
        ${field}
        <label>Name <input name="name" value="${refused}" required /></label>
        <button>Enter</button>
      </form>`,
  );
}

function notesPage(subject: string, written: readonly string[], field: Html): Html {
  return page(
    'Notes',
    html`<p id="subject">${subject}</p>
      <ul>
        ${written.map((note) => html`<li>${note}</li>`)}
      </ul>
      <form method="post">
        ${field}
        <label>Note <input name="note" required /></label>
        <button>Write</button>
      </form>`,
  );
}
