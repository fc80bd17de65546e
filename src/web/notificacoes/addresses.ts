/** Subscriptions, events and deliveries, as the API tells of them (contract sections 9, 10 and 13). */
import type { Delivery } from '../api/answers.ts';
import { useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';

export const SUBSCRIPTIONS = '/portal/api/ext/webhook';
export const DELIVERIES = '/appliance/api/deliveries';

export type DeliveryState = Delivery['state'];

export const isPending = ({ state }: Delivery): boolean => state === 'pending';

/** Nothing of another company than the chosen one is asked for, but by administrators, who see all. */
export function useOwnCompany(): { readonly cpfCnpjRaiz?: string } {
  const { administrador } = useSession();
  const company = useCompany();
  return administrador || company === '' ? {} : { cpfCnpjRaiz: company };
}

const SOON_MS = 1500;
const LATER_MS = 4000;

/** How soon a list of deliveries is looked at again: soon while one is on its way. */
export const lookAgain = (deliveries: readonly Delivery[]): number =>
  deliveries.some(isPending) ? SOON_MS : LATER_MS;
