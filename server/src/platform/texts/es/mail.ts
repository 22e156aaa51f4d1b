import type { MAIL as English } from '../en/mail.ts';
import type { Translated } from '../keys.ts';

export const MAIL: Translated<typeof English> = {
  'mail.login.subject': 'Inicie sesión en {company}',
  'mail.verification.subject': 'Confirme su dirección en {company}',
  'mail.recovery.subject': 'Recupere su cuenta de {company}',
  'mail.enter_to_log_in': 'Introduzca este código donde está iniciando sesión:',
  'mail.open_to_log_in': 'O abra este enlace en el navegador con el que está iniciando sesión:',
  'mail.enter_to_verify': 'Introduzca este código para confirmar {identifier}:',
  'mail.enter_to_recover': 'Introduzca este código para recuperar su cuenta:',
  'mail.open': 'O abra este enlace en el navegador en el que empezó:',
  'mail.valid_for': 'Válido durante {duration}.',
  'mail.duration': '{minutes, plural, one {# minuto} many {# minutos} other {# minutos}}',
  'mail.ignore': 'Si no lo ha solicitado, puede ignorar este mensaje. No comparta nunca el código.',
  'mail.help': '¿Tiene preguntas? Escriba a {support_email}.',
  'mail.time': 'Fecha: {time}',
  'mail.device': 'Dispositivo: {device}',
  'mail.not_you':
    'Si no ha sido usted, cambie su contraseña y revise sus segundos factores ahora mismo.',
  'mail.open_to_undo': 'Si no ha sido usted, abra este enlace para deshacer el cambio:',

  'mail.invitation.subject': 'Invitación a {company}',
  'mail.invitation.what': 'Le han invitado a {company}.',
  'mail.invitation.open': 'Abra este enlace para aceptar la invitación:',
  'mail.invitation.valid_until': 'Válida hasta el {valid_until}.',
  'mail.invitation.ignore':
    'Si no esperaba esta invitación, puede ignorar este mensaje. No comparta nunca el enlace ni el código.',

  'sms.login': '{code} es su código para iniciar sesión en {company}. No se lo dé a nadie.',
  'sms.verification':
    '{code} es su código para confirmar este número en {company}. No se lo dé a nadie.',

  'notice.new_device.subject': 'Nuevo inicio de sesión en {company}',
  'notice.new_device.text': 'Se ha iniciado sesión en su cuenta desde un dispositivo nuevo.',
  'notice.factor_added.subject': 'Segundo factor añadido en {company}',
  'notice.factor_added.text': 'Se ha añadido un segundo factor a su cuenta.',
  'notice.factor_removed.subject': 'Segundo factor eliminado en {company}',
  'notice.factor_removed.text': 'Se ha eliminado un segundo factor de su cuenta.',
  'notice.password_changed.subject': 'Contraseña cambiada en {company}',
  'notice.password_changed.text': 'Se ha cambiado la contraseña de su cuenta.',
  'notice.password_breached.subject': 'Elija una nueva contraseña en {company}',
  'notice.password_breached.text':
    'La contraseña de su cuenta aparece en una filtración de datos de otro servicio. Elija una nueva.',
  'notice.identifier_added.subject': 'Dirección añadida en {company}',
  'notice.identifier_added.text': 'Se ha añadido una dirección a su cuenta: {changed}',
  'notice.identifier_removed.subject': 'Dirección eliminada en {company}',
  'notice.identifier_removed.text': 'Se ha eliminado una dirección de su cuenta: {changed}',
  'notice.identifier_primary.subject': 'Dirección principal cambiada en {company}',
  'notice.identifier_primary.text': 'La dirección principal de su cuenta es ahora {changed}.',
  'notice.identifiers_restored.subject': 'Direcciones restauradas en {company}',
  'notice.identifiers_restored.text':
    'Se deshizo un cambio de las direcciones de su cuenta y se cerraron todas sus sesiones.',
  'notice.recovery_begun.subject': 'Recuperación de cuenta iniciada en {company}',
  'notice.recovery_begun.text':
    'Alguien ha empezado a recuperar su cuenta. Todavía no ha cambiado nada.',
  'notice.second_factor_refused.subject': 'Inicio de sesión rechazado en {company}',
  'notice.second_factor_refused.text':
    'Alguien ha dado la contraseña o el código correctos de su cuenta, pero no el segundo factor. Se ha rechazado el inicio de sesión.',
  'notice.identity_linked.subject': 'Nueva forma de iniciar sesión en {company}',
  'notice.identity_linked.text':
    'Una cuenta de {changed} ya sirve para iniciar sesión en {company}.',
  'notice.identity_unlinked.subject': 'Se ha eliminado una forma de iniciar sesión en {company}',
  'notice.identity_unlinked.text':
    'Una cuenta de {changed} ya no sirve para iniciar sesión en {company}.',
  'notice.account_deleted.subject': 'Su cuenta de {company} se ha eliminado',
  'notice.account_deleted.text':
    'Su cuenta de {company} se ha eliminado. Ya nadie puede iniciar sesión con ella.',
  'notice.account_reclaimed.subject': 'Su cuenta de {company}',
  'notice.account_reclaimed.text':
    'El titular de {changed} ha confirmado esa dirección. Ahora pertenece a su cuenta, y se ha retirado el acceso que otros tenían a ella.',
  'notice.logins_changed.subject': 'Ajustes de inicio de sesión de {company} cambiados',
  'notice.logins_changed.text': 'Se ha cambiado el inicio de sesión en {company}: {change}',
  'notice.logins_changed.by': 'Cambiado por: {actor}',
  'notice.logins_changed.warning':
    'Si no esperaba este cambio, revise ahora los ajustes y el registro de auditoría.',
  'notice.actor.system_administrator': 'un administrador del sistema',
  'notice.change.provider_added': 'Se ha añadido el proveedor de identidad {changed}.',
  'notice.change.provider_changed': 'Se ha cambiado el proveedor de identidad {changed}.',
  'notice.change.provider_deleted': 'Se ha eliminado el proveedor de identidad {changed}.',
  'notice.change.provider_domain_added':
    'Se ha asignado el dominio {changed} a un proveedor de identidad.',
  'notice.change.provider_domain_verified':
    'Se ha verificado el dominio {changed} para un proveedor de identidad.',
  'notice.change.provider_domain_removed':
    'Se ha retirado el dominio {changed} de un proveedor de identidad.',
  'notice.change.domains': 'Los dominios son ahora: {changed}',
  'notice.change.mail_server':
    'El correo se envía ahora a través de {changed}, con nuevos ajustes.',
  'notice.change.mail_server_removed': 'Se ha eliminado el servidor de correo.',
  'notice.change.sms_provider':
    'Los SMS se envían ahora a través de {changed}, con nuevos ajustes.',
  'notice.change.sms_provider_removed': 'Se ha eliminado el proveedor de SMS.',
};
