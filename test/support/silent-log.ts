import { getLogger } from '@logtape/logtape';
import type { Logger } from '../../src/log.ts';

/** The log as it is before it has been set up: silent. */
export const silentLog = (): Logger => getLogger('catp');
