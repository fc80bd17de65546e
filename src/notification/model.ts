/** What the features of notification share. */
import { Type as t } from '@sinclair/typebox';
import { DAY_MS } from '../clock.ts';

/** 30 days of 24 hours: failure records by the specification, finished deliveries and their events beside them. */
export const RETENTION_MS = 30 * DAY_MS;

const LIST_LIMIT_MAX = 1000;

/** How many records a list of administration answers (contract section 13). */
export const ListLimit = {
  default: 100,
  schema: t.Integer({
    minimum: 1,
    maximum: LIST_LIMIT_MAX,
    default: 100,
    description: 'Quantos registros, no máximo.',
  }),
} as const;
