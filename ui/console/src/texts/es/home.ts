import type { home as english } from '../en/home.ts';
import type { Translation } from '../format.ts';

export const home: Translation<typeof english> = {
  // Overview
  attention: 'Requiere atención',
  'attention.keyEnds': {
    one: '{count} clave ya no firma: en un día vencen sus últimos tokens, y quien los verifica necesita la nueva',
    other:
      '{count} claves ya no firman: en un día vencen sus últimos tokens, y quien los verifica necesita las nuevas',
    many: '{count} claves ya no firman: en un día vencen sus últimos tokens, y quien los verifica necesita las nuevas',
  },
  'attention.keyOld': {
    one: '{count} clave firma desde hace 11 meses o más: rótela',
    other: '{count} claves firman desde hace 11 meses o más: rótelas',
    many: '{count} claves firman desde hace 11 meses o más: rótelas',
  },
  'attention.hookDisabled': {
    one: '{count} webhook se desactivó porque fallaban sus entregas',
    other: '{count} webhooks se desactivaron porque fallaban sus entregas',
    many: '{count} webhooks se desactivaron porque fallaban sus entregas',
  },
  'attention.hookFails': {
    one: 'Fallan las entregas de {count} webhook',
    other: 'Fallan las entregas de {count} webhooks',
    many: 'Fallan las entregas de {count} webhooks',
  },
  'attention.administrator': {
    one: '{count} administrador nunca ha iniciado sesión',
    other: '{count} administradores nunca han iniciado sesión',
    many: '{count} administradores nunca han iniciado sesión',
  },
  'attention.message': {
    one: '{count} mensaje de los últimos 30 días no se pudo enviar',
    other: '{count} mensajes de los últimos 30 días no se pudieron enviar',
    many: '{count} mensajes de los últimos 30 días no se pudieron enviar',
  },

  // Filters of users
  hasLoggedIn: 'Inicios de sesión',
  onceLoggedIn: 'Ha iniciado sesión',
  neverLoggedIn: 'Nunca ha iniciado sesión',
  lastLoginBefore: 'Último inicio antes de',

  // Defaults of settings
  notDefault: 'Cambiado',
  toDefault: 'Volver al predeterminado',
  toDefaultUnsaved: 'El valor predeterminado se aplica al guardar.',

  // Mail
  mail: 'Correo',
  mailServer: 'Servidor de correo',
  mailOwn: 'Los correos pasan por este servidor.',
  mailNone:
    'Sin servidor de correo propio: hacen falta al menos un servidor y un remitente. Hasta entonces los correos pasan por el servidor del operador, si lo hay.',
  mailPasswordKept:
    'Hay una contraseña guardada. Se conserva mientras su campo esté vacío. Otro servidor o nombre de usuario la necesita de nuevo.',
  mailTakeBack: 'Quitar el servidor de correo',
  mailTakeBackTitle: '¿Quitar el servidor de correo?',
  mailTakeBackHint:
    'Se borran su dirección, su nombre de usuario y su contraseña. Los correos pasan entonces por el servidor del operador. Sin él no se envía ningún correo, y nadie puede iniciar sesión por correo.',
  mailTakenBack: 'Servidor de correo quitado.',
  mailAccepted: 'El servidor lo aceptó.',
  'security.tls': 'TLS desde el principio',
  'security.starttls': 'STARTTLS, obligatorio',
  'security.none': 'Ninguno',

  // Domains
  tenantDomain: 'Nombre de host',
  tenantDomainHint:
    'Un dominio pertenece a un solo inquilino. Después apunte el DNS a este servicio, como se muestra arriba.',
  tenantDomainAdded: '{name} añadido. Ahora apunte el DNS a este servicio.',
  tenantDomainRemoveHint:
    'Las solicitudes a este host ya no pertenecen al inquilino. Quien inicia sesión allí, también en la consola, necesita otra dirección.',
  tenantDomainsByOthers:
    'Los administradores del sistema añaden y quitan dominios: pídaselo a ellos.',

  // Fields of the API
  'name.smtp_host': 'Servidor',
  'name.smtp_port': 'Puerto',
  'name.smtp_security': 'Cifrado',
  'name.smtp_username': 'Nombre de usuario',
  'name.smtp_password': 'Contraseña',
  'name.from_address': 'Remitente',
  'name.from_name': 'Nombre del remitente',
  'name.reply_to': 'Respuestas a',
};
