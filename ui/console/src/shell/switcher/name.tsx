import { useCall } from '../../api/queries.ts';
import { useTenant } from '../../url/params.ts';
import { useCaller } from '../caller.tsx';

/** The name of the tenant of the address, or its id for those who may not read it. */
export function TenantName() {
  const tenant = useTenant();
  const { can, isKnown } = useCaller();
  const input = { params: { tenant_id: tenant } };
  const record = useCall(tenant, 'tenants.get', input, isKnown && can('read:tenant')).data;
  return (
    // Where there is no room for all of it, its end is cut, whatever direction it has.
    <span className="tenant" dir="auto" title={tenant}>
      <span>{record?.name ?? tenant}</span>
    </span>
  );
}
