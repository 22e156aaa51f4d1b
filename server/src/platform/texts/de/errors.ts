import type { ERRORS as English } from '../en/errors.ts';
import type { Translated } from '../keys.ts';

export const ERRORS: Translated<typeof English> = {
  'error.tenant_not_found.title': 'Hier ist niemand',
  'error.tenant_not_found':
    'Keine Organisation hat diese Adresse. Prüfen Sie sie, oder gehen Sie dorthin zurück, woher Sie kamen.',
  'error.tenant_inactive.title': 'Diese Organisation ist vorübergehend geschlossen',
  'error.tenant_inactive':
    'Niemand kann sich bei ihr anmelden. Wenden Sie sich an ihren Betreiber.',
  'error.form_too_old.title': 'Diese Seite ist zu alt',
  'error.form_too_old': 'Gehen Sie zur Anwendung zurück, und melden Sie sich erneut an.',
  'error.cookie_refused.title': 'Ihr Browser hat ein Cookie abgelehnt',
  'error.cookie_refused':
    'Eine Anmeldung benötigt eines, bis sie abgeschlossen ist. Erlauben Sie Cookies für diese Website. Gehen Sie zur Anwendung zurück, und melden Sie sich erneut an.',
  'error.origin_refused.title': 'Dieses Formular kam von einer anderen Website',
  'error.origin_refused':
    'Es hatte keine Wirkung. Gehen Sie zur Anwendung zurück, und melden Sie sich erneut an.',
  'error.request_invalid.title': 'Diese Anwendung kann Sie nicht anmelden',
  'error.request_invalid':
    'Ihre Anfrage ist fehlerhaft, daher wurde ihr nichts zurückgesendet. Informieren Sie ihren Betreiber.',
  'error.oauth_off.title': 'Anwendungen können Sie hier nicht anmelden',
  'error.oauth_off': 'Diese Organisation hat das abgeschaltet. Wenden Sie sich an ihren Betreiber.',
  'error.issuer_elsewhere.title': 'Anmeldungen sind an einer anderen Adresse',
  'error.issuer_elsewhere': 'Gehen Sie zur Anwendung zurück, und melden Sie sich erneut an.',
  'error.provider_refused.title': 'Die Anmeldung wurde nicht bestätigt',
  'error.provider_refused':
    'Sie dauerte zu lange oder wurde bereits verwendet. Gehen Sie zur Anwendung zurück, und melden Sie sich erneut an.',
  'error.address_incomplete.title': 'Diese Adresse ist unvollständig',
  'error.address_incomplete': 'Gehen Sie zur Anwendung zurück, und melden Sie sich erneut an.',
  'error.unavailable.title': 'Einen Moment bitte',
  'error.unavailable':
    'Der Dienst wird neu gestartet oder ist stark ausgelastet. Laden Sie diese Seite gleich noch einmal.',
  'error.internal.title': 'Etwas ist schiefgegangen',
  'error.internal':
    'Es liegt nicht an Ihnen. Versuchen Sie es noch einmal. Bleibt der Fehler, nennen Sie dem Betreiber dieses Dienstes die Nummer unten.',
  'error.wait':
    'Versuchen Sie es {minutes, plural, one {in einer Minute} other {in # Minuten}} wieder.',
};
