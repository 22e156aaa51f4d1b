import type { tenants as english } from '../en/tenants.ts';
import type { Translation } from '../format.ts';

export const tenants: Translation<typeof english> = {
  tenants: 'Inquilinos',
  installation: 'Instalación',
  searchTenants: 'Parte de un nombre, id o dominio',
  tenantsEmpty: 'Un inquilino es una organización, aislada de todas las demás.',
  tenantCreate: 'Crear inquilino',
  tenantCreateHint:
    'Queda listo al momento, con claves, un espacio de trabajo y los roles admin y member.',
  tenantIdNever: 'Su id se forma con el nombre corto y no cambia nunca.',
  tenantIdWillBe: 'Su id, que no cambia nunca, será',
  setUpNamed: 'Configurar {name}',
  skipStep: 'Omitir',
  moreThan: 'más de {count}',
  auditEntries: 'Entradas de auditoría',
  suspend: 'Suspender',
  suspendTitle: '¿Suspender {name}?',
  suspendHint:
    'Todos los nodos rechazan al momento todas sus credenciales y sus sesiones terminan. Tras la activación sus usuarios vuelven a iniciar sesión; las claves de API no caducadas vuelven a funcionar.',
  suspended: 'Se suspendió {name}.',
  activate: 'Activar',
  activateTitle: '¿Activar {name}?',
  activateHint:
    'Sus usuarios pueden volver a iniciar sesión. Las sesiones anteriores siguen terminadas.',
  activated: 'Se activó {name}.',
  deleteTenantHint: 'No se puede deshacer y su id no vuelve a quedar libre. Con él desaparece:',
  deleteTenantKey:
    'Primero se destruye su clave de datos: las claves de firma y los secretos de webhooks, proveedores, servidores de correo y aplicaciones de autenticación no podrán descifrarse nunca más.',
  dnsTitle: 'Lo que debe decir el DNS',
  dnsHint:
    'Las solicitudes a estos hosts pertenecen al inquilino en cuanto el DNS las lleva a este servicio y el proxy tiene un certificado para ellos. Lo que abre el enlace nombra entonces a este inquilino.',
  dnsApex: 'En la raíz de una zona no puede haber CNAME: ponga los registros A y AAAA del destino.',
  openDomain: 'Abrir',
  domainsEmpty: 'Aún no hay dominio. Los clientes nombran al inquilino en la cabecera X-Tenant-ID.',
  discovery: 'Descubrimiento',
  keySet: 'Conjunto de claves',
  issuerHint:
    'Los verificadores lo comparan byte a byte. Tras un cambio rechazan los tokens emitidos antes, y cada aplicación necesita el valor nuevo.',
  tenantAuditHint:
    'Lo que los administradores del sistema hicieron con él desde aquí. Su propio registro está dentro del inquilino.',
  'setup.create': 'Nombre y dominio',
  'setup.branding': 'Imagen',
  switchTenant: 'Cambiar de inquilino',
  recentTenant: 'reciente',
  insideLabel: 'Dentro de otro inquilino',
  insideBar: 'En {tenant} como {who} hasta las {time}: {reason}',
  insideEnd: 'Salir',
  insideTitle: 'Entrar en',
  insideHint:
    'Allí actúa como administrador, durante 15 minutos como máximo. El motivo queda en los registros de auditoría de ambos inquilinos.',
  goInside: 'Entrar',
  firstAdministrator: 'Primer administrador',
  firstAdministratorHint:
    'Esa persona recibe el rol admin, que puede hacerlo todo en este inquilino.',
  byInvitation: 'Por invitación',
  byPassword: 'Con una contraseña',
  inviteAdministrator: 'Invitar',
  'setup.administrator': 'Administrador',
};
