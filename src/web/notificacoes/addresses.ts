/** Subscriptions, events and deliveries, as the API tells of them (contract sections 9, 10 and 13). */
import type { Delivery } from '../api/answers.ts';

export const SUBSCRIPTIONS = '/portal/api/ext/webhook';
export const DELIVERIES = '/appliance/api/deliveries';

export type DeliveryState = Delivery['state'];

export const isPending = ({ state }: Delivery): boolean => state === 'pending';
