/** What the features of notification share. */
import { DAY_MS } from '../clock.ts';
import { limitOf } from '../validation/forms.ts';

/** 30 days of 24 hours: failure records by the specification, finished deliveries and their events beside them. */
export const RETENTION_MS = 30 * DAY_MS;

const LIST_LIMIT_MAX = 1000;

/** How many records a list of administration answers (contract section 13). */
export const ListLimit = {
  default: 100,
  schema: limitOf('Quantos registros, no máximo.', LIST_LIMIT_MAX, 100),
} as const;
