import { useCall } from '../../api/queries.ts';
import { useTenant } from '../../url/params.ts';
import { useCaller } from '../caller.tsx';

/** Shows the name of the tenant in the URL, or its ID if the caller cannot read the name. */
export function TenantName() {
  const tenant = useTenant();
  const { can, isLoaded } = useCaller();
  const input = { params: { tenant_id: tenant } };
  const record = useCall(tenant, 'tenants.get', input, isLoaded && can('read:tenant')).data;
  return (
    // If there is not enough room, the end of the name is cut, whatever its direction.
    <span className="tenant" dir="auto" title={tenant}>
      <span>{record?.name ?? tenant}</span>
    </span>
  );
}
