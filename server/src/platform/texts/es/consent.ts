import type { CONSENT as English } from '../en/consent.ts';
import type { Translated } from '../keys.ts';

export const CONSENT: Translated<typeof English> = {
  'consent.title': '¿Permitir que {client} use su cuenta?',
  'consent.lead': 'Usted es {identifier} en {tenant}.',
  'consent.new': 'La aplicación podrá',
  'consent.known': 'Ya puede',
  'consent.particular': 'En concreto',
  'consent.yes': 'Sí',
  'consent.no': 'No',
  'consent.host': 'Vuelve a <b>{host}</b>. Puede retirar este permiso en cualquier momento.',
  'consent.new_address': 'Esta aplicación ahora le envía a una dirección nueva: <b>{host}</b>.',
  'consent.about': 'Acerca de {client}',
  'consent.run_by': 'Gestionada por',
  'consent.unverified':
    'Sin verificar: esta aplicación se registró por sí misma. Su nombre puede ser falso.',
  'consent.allow': 'Permitir',
  'consent.deny': 'No permitir',

  'scope.openid': 'Saber que es usted',
  'scope.profile': 'Leer su nombre y su perfil',
  'scope.email': 'Leer su correo electrónico',
  'scope.phone': 'Leer su número de teléfono',
  'scope.offline_access': 'Conservar el acceso en su ausencia',
  'scope.read': 'Leer: {what}',
  'scope.write': 'Modificar: {what}',
  'scope.delete': 'Eliminar: {what}',
  'scope.all': 'Leer, modificar y eliminar: {what}',
  'scope.everything': 'todo lo que usted puede hacer',
  'scope.use': 'Usarlo en su nombre',
  'scope.at': '{resource}: {what}',

  'accounts.title': 'Elija una cuenta',
  'accounts.continue': 'Continuar como {identifier}',

  'confirm.title': '¿Continuar a {client}?',
  'confirm.lead':
    'Un programa de este dispositivo pide usar su cuenta y recibe la respuesta en <b>{host}</b>. Si no acaba de abrir esta aplicación, cancele.',
  'confirm.cancel': 'Cancelar',

  'logout.title': '¿Cerrar la sesión de {tenant}?',
  'logout.lead': 'Ha iniciado sesión como {identifier}.',
  'logout.applications': 'Las aplicaciones que abrió con este inicio de sesión también la cierran.',
  'logout.return': 'Después vuelve a <b>{host}</b>.',
  'logout.no_return': 'No vuelve a la aplicación: no se ha podido comprobar que lo haya pedido.',
  'logout.submit': 'Cerrar sesión',
  'logout.stay': 'Mantener la sesión',
  'logout.done': 'Ha cerrado la sesión',
  'logout.told': 'Estas aplicaciones ya lo saben:',
  'logout.waiting': 'Estas aún no han respondido:',
  'logout.again': 'Comprobar si han respondido',
  'logout.failed': 'Estas no han respondido. Cierre la sesión en ellas usted mismo:',
  'logout.not_told': 'A estas no se les avisa. Cierre la sesión en ellas usted mismo:',
  'logout.stayed': 'Su sesión sigue abierta',
  'logout.close': 'Puede cerrar esta página.',
};
