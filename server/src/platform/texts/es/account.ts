import type { ACCOUNT as English } from '../en/account.ts';
import type { Translated } from '../keys.ts';

export const ACCOUNT: Translated<typeof English> = {
  'account.title': 'Su cuenta',
  'account.nav': 'Cuenta',
  'account.section.overview': 'Resumen',
  'account.section.addresses': 'Direcciones',
  'account.section.security': 'Formas de iniciar sesión',
  'account.section.sessions': 'Sesiones',
  'account.section.apps': 'Aplicaciones conectadas',
  'account.section.agents': 'Agentes que actúan por mí',

  'account.done.address_added':
    'Añadida. A partir de ahora puede iniciar sesión con esta dirección.',
  'account.done.address_removed': 'Eliminada. Ya nadie inicia sesión con esta dirección.',
  'account.done.password_changed':
    'Su contraseña se ha cambiado. Sus otras sesiones se han cerrado.',
  'account.done.factor_added': 'Añadido.',
  'account.done.factor_removed': 'Eliminado.',
  'account.done.factor_renamed': 'Nombre cambiado.',
  'account.done.session_ended': 'Cerrada. Ese dispositivo tiene que iniciar sesión de nuevo.',
  'account.done.sessions_ended':
    'Cerradas. Todos los demás dispositivos tienen que iniciar sesión de nuevo.',
  'account.done.app_ended': 'Retirado. La aplicación ya no puede usar su cuenta.',
  'account.done.agent_ended': 'Retirado. El agente ya no puede actuar por usted.',

  'account.back': 'Volver',
  'account.confirm': 'Confirmar que es usted',
  'account.confirm_addresses': 'Para cambiar sus direcciones, confirme que es usted.',
  'account.confirm_security':
    'Para añadir o eliminar una forma de iniciar sesión, confirme que es usted.',
  'account.remove': 'Eliminar {name}',

  'overview.you': 'Usted',
  'overview.not_verified': '{address} (sin verificar)',
  'overview.protection': 'Protección',
  'overview.by_passkey': 'Una llave de acceso protege su cuenta.',
  'overview.by_second_factor': 'Un segundo factor protege su cuenta.',
  'overview.by_first_factor':
    'Solo un primer factor protege su cuenta. Añada una llave de acceso o una aplicación de autenticación.',
  'overview.logins': 'Inicios de sesión',
  'overview.since': 'Inició sesión aquí el {time}. <link>Sesiones</link> abiertas: {count}.',

  'addresses.verified': 'Verificada',
  'addresses.not_verified': 'Sin verificar',
  'addresses.only': 'La única: se queda.',
  'addresses.none': 'No hay ninguna dirección.',
  'addresses.add': 'Añadir una dirección',
  'addresses.verify': 'Verificar',
  'addresses.sent': 'Hay un código en camino a {address}. Es válido durante 10 minutos.',
  'addresses.confirm': 'Confirmar la dirección',

  'security.passkeys': 'Llaves de acceso',
  'security.no_passkey':
    'No hay ninguna llave de acceso. Es la forma más segura de iniciar sesión, sin escribir nada.',
  'security.passkey_lead': 'Su navegador o dispositivo le pide que cree una llave de acceso.',
  'security.apps': 'Aplicaciones de autenticación',
  'security.no_app': 'No hay ninguna aplicación de autenticación.',
  'security.codes': 'Códigos de recuperación',
  'security.codes_text':
    'Cada uno le permite entrar una vez si pierde las demás formas. Los nuevos sustituyen a los anteriores.',
  'security.codes_lead':
    'Cada uno le permite entrar una vez si pierde sus otras formas. Solo se muestran ahora: guárdelos en un lugar seguro.',
  'security.new_codes': 'Crear nuevos códigos de recuperación',
  'security.password': 'Contraseña',
  'security.current_password': 'Contraseña actual',
  'security.change_password': 'Cambiar la contraseña',
  'security.rename': 'Cambiar el nombre',
  'security.save_name': 'Guardar el nombre',
  'security.name': 'Nombre',
  'security.used': 'Se añadió: {added}, último uso: {used}',
  'security.never_used': 'Se añadió: {added}, nunca se ha usado',
  'security.synced': 'Guardada en varios de sus dispositivos',

  'sessions.this': 'Este navegador',
  'sessions.unknown': 'Otro navegador',
  'sessions.from': 'Desde {address}, abierta el {time}',
  'sessions.by_app': 'Abierta por una aplicación',
  'sessions.end': 'Cerrar esta sesión',
  'sessions.none': 'No hay ninguna sesión.',
  'sessions.end_others': 'Cerrar todas las demás sesiones',

  'apps.since': 'Desde el {time}',
  'apps.end': 'Retirar el acceso de {app}',
  'apps.none': 'Ninguna aplicación usa su cuenta.',
  'agents.may': 'Puede: {scopes}',
  'agents.period': 'Desde el {since} hasta el {until}',
  'agents.end': 'Retirar',
  'agents.recorded': 'Lo que un agente hace por usted se registra a su nombre y al del agente.',
  'agents.none': 'Ningún agente actúa por usted.',

  'account.problem.current_password': 'La contraseña actual no es correcta.',
  'account.problem.taken': 'Esta dirección no se puede añadir.',
  'account.problem.last_address': 'La última dirección y la última verificada se quedan.',
  'account.problem.last_factor':
    'Es la única forma de iniciar sesión lo bastante segura. Añada primero otra.',
  'account.problem.no_factor':
    'Añada primero una llave de acceso o una aplicación de autenticación.',
  'account.problem.passkey': 'No se ha aceptado esta llave de acceso. Inténtelo de nuevo.',
  'account.problem.too_many_factors': 'Hay demasiados. Elimine primero uno.',
  'account.problem.attempts': 'Ha habido demasiados intentos. Inténtelo más tarde.',
  'account.problem.messages': 'Ha habido demasiados mensajes. Inténtelo más tarde.',
  'account.problem.not_ready': 'Esto no está configurado aquí.',
  'account.problem.destination': 'No se envían mensajes a este número.',
  'account.problem.gone': 'Ya se había eliminado.',
};
