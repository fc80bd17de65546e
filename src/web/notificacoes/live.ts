/** How soon a list of deliveries is looked at again: soon while one is on its way. */
import type { Delivery } from '../api/answers.ts';
import { isPending } from './addresses.ts';

const SOON_MS = 1500;
const LATER_MS = 4000;

export const lookAgain = (deliveries: readonly Delivery[]): number =>
  deliveries.some(isPending) ? SOON_MS : LATER_MS;
