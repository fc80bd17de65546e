/** Subscriptions, events and deliveries, as the API returns them (contract sections 9, 10 and 13). */
import type { Delivery } from '../api/answers.ts';
import { useSession } from '../api/session.ts';
import { useCompany } from '../api/use-company.ts';

export const SUBSCRIPTIONS = '/portal/api/ext/webhook';
export const DELIVERIES = '/appliance/api/deliveries';

export type DeliveryState = Delivery['state'];

export const isPending = ({ state }: Delivery): boolean => state === 'pending';

/** Returns the filter of the selected company. Only administrators see the data of all companies. */
export function useOwnCompany(): { readonly cpfCnpjRaiz?: string } {
  const { administrador } = useSession();
  const company = useCompany();
  return administrador || company === '' ? {} : { cpfCnpjRaiz: company };
}

const PENDING_POLL_MS = 1500;
const IDLE_POLL_MS = 4000;

/** Returns the poll interval of a list of deliveries, which is short while one is pending. */
export const pollIntervalOf = (deliveries: readonly Delivery[]): number =>
  deliveries.some(isPending) ? PENDING_POLL_MS : IDLE_POLL_MS;
